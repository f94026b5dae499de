import type { LinkProps } from "@tanstack/react-router";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { type RunRow, runLength, runName } from "../runs/index.ts";

import { dayMs, endOf } from "./causes.ts";

/** Something that came about in the last day. */
export interface Change {
  readonly key: string;
  /** ms since 1970. */
  readonly at: number;
  /** Who or what did it. */
  readonly subject: string;
  readonly does: string;
  /** Where it leads; null where there is no page for it. */
  readonly link: LinkProps | null;
}

interface Sources {
  readonly rows: readonly RunRow[];
  readonly artifacts: readonly (Received<Artifact> | undefined)[];
  readonly agents: readonly (Received<{ id: string; name: string; created_at: string | null }> | undefined)[];
}

/** What changed in the day before `now` (ms), newest first: runs that were done by their flow, files, new agents. */
export function changesOf({ rows, artifacts, agents }: Sources, now: number): readonly Change[] {
  const changes: Change[] = [];
  const byFlow = new Map<string, RunRow[]>();
  for (const run of rows) {
    if (run.state !== "DONE" || now - endOf(run) > dayMs) continue;
    const key = run.flowId ?? run.runId;
    byFlow.set(key, [...(byFlow.get(key) ?? []), run]);
  }
  for (const [key, runs] of byFlow) {
    const [first] = runs;
    if (!first) continue;
    changes.push({
      key: `flow ${key}`,
      at: Math.max(...runs.map(endOf)),
      subject: runName(first),
      does: `${runs.length === 1 ? "ran once" : `ran ${runs.length} times`}${lengthWords(runs)}`,
      link:
        first.flowId === null
          ? { to: "/runs/$runId", params: { runId: first.runId } }
          : { to: "/runs", search: { flow: first.flowId, started: "24h" } },
    });
  }
  for (const file of artifacts) {
    const at = parseTime(file?.created_at);
    if (!file?.id || at === null || now - at > dayMs) continue;
    const version = file.major_version ?? 1;
    changes.push({
      key: `artifact ${file.id} ${version}`,
      at,
      subject: file.filename || file.id,
      does: version > 1 ? `was written, version ${version}` : "was written",
      link: { to: "/artifacts/$artifactId", params: { artifactId: file.id } },
    });
  }
  for (const agent of agents) {
    const at = parseTime(agent?.created_at);
    if (!agent?.id || at === null || now - at > dayMs) continue;
    changes.push({
      key: `agent ${agent.id}`,
      at,
      subject: agent.name || agent.id,
      does: "was created",
      link: { to: "/agents/$agentId", params: { agentId: agent.id } },
    });
  }
  return changes.sort((a, b) => b.at - a.at);
}

/** `, 11 s`, or `, 11 s each` by the median. */
function lengthWords(runs: readonly RunRow[]): string {
  const lengths = runs.flatMap((run) => runLength(run, 0) ?? []).sort((a, b) => a - b);
  const median = lengths[Math.floor((lengths.length - 1) / 2)];
  if (median === undefined) return "";
  return `, ${formatDuration(median, { fine: median < 10_000 })}${runs.length > 1 ? " each (median)" : ""}`;
}
