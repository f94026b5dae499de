import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ArtifactScope } from "../../api/queries/artifacts.ts";
import { ArtifactList } from "../../components/artifact/list/ArtifactList.tsx";
import { type ArtifactsSearch, readArtifactsSearch } from "../../components/artifact/list/search.ts";
import { useArtifactList } from "../../components/artifact/list/useArtifactList.ts";
import { LiveStatus } from "../../components/frame/LiveStatus.tsx";
import { Page } from "../../components/frame/Page.tsx";
import { useCan } from "../../components/useCan.ts";
import { useSignedIn } from "../../components/wheelhouse-context.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { PickAgent } from "./PickAgent.tsx";

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
