import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { rowOf } from "../../../lib/list/useListKeys.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { noPanel, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { moveKeys } from "../../../ui/Kbd.tsx";
import { PageFoot } from "../../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { agentQueries } from "../../directory/index.ts";

import { AgentFrame } from "../AgentFrame.tsx";
import type { VersionsSearch } from "../search.ts";
import { before, selection, Timeline, timelineOf } from "./Timeline.tsx";
import { useVersions } from "./useVersions.ts";
import { VersionDiff } from "./VersionDiff.tsx";

type Props = { agentId: string; search: VersionsSearch };

/** The versions of an agent: who changed what and when, any two compared, and the way back to one. */
export function VersionsPage({ agentId, search }: Props) {
  const isService = useCan("agent_versions");
  const { queryKey } = agentQueries.versions(useApi(), agentId);
  return (
    <AgentFrame
      agentId={agentId}
      active="versions"
      part="versions"
      crumb="Versions"
      liveKey={isService ? queryKey : undefined}
    >
      {(agent, name) => <Versions agentId={agentId} agent={agent} name={name} search={search} />}
    </AgentFrame>
  );
}

function Versions({ agentId, agent, name, search }: Props & { agent: Received<Agent>; name: string }) {
  const navigate = useNavigate({ from: "/agents/$agentId/versions" });
  const versions = useVersions(agentId, agent);
  const { lines, query, isService } = versions;
  const isNarrow = useMedia(noPanel);
  const now = agent.version ?? null;
  const to = search.to ?? lines[0]?.version ?? null;
  const from = search.from ?? (to === null ? null : before(lines, to));
  const known = lines.map(({ version }) => version);
  const step = (by: 1 | -1) => {
    const next = known[(to === null ? -1 : known.indexOf(to)) + by];
    if (next === undefined) return;
    void navigate({ search: selection(next, lines, search), replace: true });
    rowOf(String(next))?.scrollIntoView({ block: "nearest" });
  };
  useShortcuts([
    { keys: "j", does: "Older version", run: () => step(1) },
    { keys: "k", does: "Newer version", run: () => step(-1) },
  ]);
  if (isService && hasFailed(query)) {
    return <ReadFailure query={query} what="The versions" />;
  }
  if (isService && query.isPending) {
    return <SkeletonRows label="Loading versions" rows={6} columns={["80px", "1fr", "60px"]} />;
  }
  const isDiffOnly = isNarrow && search.to !== undefined;
  return (
    <>
      {isService && <Stale query={query} />}
      <Damage damage={versions.damage} />
      {!isService && (
        <p className="max-w-text shrink-0 border-b py-2.5 pr-edge-right pl-edge-left text-muted">
          This service keeps no versions. These are the ones this browser has seen; changes between two visits
          may be missing.
        </p>
      )}
      <div className="flex min-h-0 flex-1">
        {!isDiffOnly && (
          <div className="flex w-[320px] shrink-0 flex-col overflow-y-auto border-r max-md:w-full max-md:border-r-0">
            <Timeline
              agentId={agentId}
              items={timelineOf(lines, now, versions.more === null)}
              lines={lines}
              now={now}
              from={isNarrow ? null : from}
              to={isNarrow ? null : to}
              search={search}
              isService={isService}
            />
            <PageFoot keys={[moveKeys]} more={versions.more && { label: "Show older", ...versions.more }}>
              {versions.more ? "The newest " : ""}
              {counted(lines.length, "version")}
              {versions.unreadable > 0 && `, ${versions.unreadable} could not be read`}
            </PageFoot>
          </div>
        )}
        {(isDiffOnly || !isNarrow) && (
          <div className="flex min-w-0 flex-1 flex-col">
            {isDiffOnly && (
              <div className="-ml-[9px] shrink-0 border-b px-edge-left py-1.5">
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => void navigate({ search: search.lines ? { lines: true } : {} })}
                >
                  All versions
                </Button>
              </div>
            )}
            <VersionDiff {...{ agentId, agent, name, versions, from, to, search }} />
          </div>
        )}
      </div>
    </>
  );
}
