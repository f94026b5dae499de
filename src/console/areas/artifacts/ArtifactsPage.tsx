import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCan } from "../../lib/api/useCan.ts";
import { LiveStatus } from "../../lib/page/LiveStatus.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { useSignedIn } from "../session/index.ts";

import { ArtifactList } from "./list/ArtifactList.tsx";
import { type ArtifactsSearch, readArtifactsSearch } from "./list/search.ts";
import { useArtifactList } from "./list/useArtifactList.ts";
import { PickAgent } from "./PickAgent.tsx";
import type { ArtifactScope } from "./queries.ts";

/** Find the file: the artifacts of all agents, or of one where the service lists them by agent alone. */
export function ArtifactsPage({ search }: { search: ArtifactsSearch }) {
  const canAll = useCan("artifacts");
  const { agent } = search;
  const scope = useMemo((): ArtifactScope | null => {
    if (canAll) return { kind: "all", agentId: agent };
    return agent === undefined ? null : { kind: "agent", agentId: agent };
  }, [canAll, agent]);
  if (scope === null) {
    return (
      <Page title="Artifacts" heading="Artifacts">
        <PickAgent />
      </Page>
    );
  }
  return <Listed scope={scope} search={search} canAll={canAll} />;
}

type Props = { scope: ArtifactScope; search: ArtifactsSearch; canAll: boolean };

function Listed({ scope, search, canAll }: Props) {
  const navigate = useNavigate({ from: "/artifacts/" });
  const { credential } = useSignedIn();
  const list = useArtifactList(scope, search);
  const { artifact: _, of: __, ...rest } = search;
  return (
    <Page
      title="Artifacts"
      heading="Artifacts"
      live={<LiveStatus queryKey={list.queryKey} />}
      actions={
        canAll && (
          <Link to="/artifacts/shared" className={buttonClass("plain")}>
            What you share
          </Link>
        )
      }
    >
      {credential.kind !== "team" && (
        <TabBar label="Whose artifacts" className="shrink-0 pr-edge-right pl-edge-left">
          {([undefined, "mine"] as const).map((of) => (
            <Tab key={of ?? "all"} asChild isActive={search.of === of}>
              <Link to="/artifacts" search={{ ...rest, ...(of && { of }) }}>
                {of === "mine" ? "Mine" : "All"}
              </Link>
            </Tab>
          ))}
        </TabBar>
      )}
      <ArtifactList
        scope={scope}
        search={search}
        list={list}
        hasAgents={canAll}
        onChange={(part) =>
          void navigate({ search: (old) => readArtifactsSearch({ ...old, ...part }), replace: true })
        }
        onClear={() => void navigate({ search: canAll ? {} : { agent: search.agent } })}
        onOpen={(artifactId) => void navigate({ to: "/artifacts/$artifactId", params: { artifactId } })}
      />
    </Page>
  );
}
