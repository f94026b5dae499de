import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Agent, AgentVersionSummary } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { agentQueries, personName, versionPages } from "../../directory/index.ts";

import { type AgentDraft, draftOf } from "../agent/agent-draft.ts";
import { type SeenVersion, useSeenVersions } from "../agent/seen-versions.ts";
import type { VersionLine } from "./Timeline.tsx";

/** The versions of an agent: the service's, as far as they were read, else those that this browser has seen. */
export function useVersions(agentId: string, agent: Received<Agent>) {
  const api = useApi();
  const isService = useCan("agent_versions");
  const pages = usePages(versionPages(api, agentId), { enabled: isService });
  const { query, rows } = pages;
  const seen = useSeenVersions(agentId);

  const now = agent.version ?? null;
  const { lines, unreadable } = useMemo(() => {
    if (!isService) return { lines: withNow(seen.map(lineOfSeen), now), unreadable: 0 };
    const read = rows.flatMap((one) => lineOf(one) ?? []);
    return { lines: read, unreadable: rows.length - read.length };
  }, [isService, rows, seen, now]);

  const newest = lines[0]?.version ?? null;
  useOnceFor(now, isService && query.data !== undefined && newest !== now, query.refetch);
  return {
    isService,
    query,
    lines,
    seen,
    unreadable,
    damage: pages.damage,
    more: isService ? pages.more : null,
  };
}

/** One version's content: of the agent itself where it is that version, else read, else from what this browser saw. */
export function useVersionDraft(
  agentId: string,
  version: number | null,
  agent: Received<Agent>,
  seen: readonly SeenVersion[],
) {
  const isService = useCan("agent_versions");
  const isNow = version !== null && version === agent.version;
  const isAsked = isService && version !== null && !isNow;
  const read = useRead({
    ...agentQueries.version(useApi(), agentId, version ?? 1),
    enabled: isAsked,
  });
  const draft: AgentDraft | null = useMemo(() => {
    if (version === null) return null;
    if (isNow) return draftOf(agent);
    if (!isService) return seen.find((one) => one.version === version)?.draft ?? null;
    const then = read.data?.data.agent;
    return then ? draftOf(then) : null;
  }, [version, isNow, isService, agent, seen, read.data]);
  return { draft, read, isReading: isAsked && read.isPending };
}

function lineOf(one: Received<AgentVersionSummary> | null | undefined): VersionLine | null {
  const version = one?.major_version;
  if (typeof version !== "number") return null;
  const { changed } = one ?? {};
  return {
    version,
    at: one?.created_at ?? null,
    by: one?.creator ?? null,
    changed: changed ? changed.filter((field): field is string => typeof field === "string") : null,
  };
}

/** The version that is being looked at may not be noted yet. */
function withNow(lines: readonly VersionLine[], now: number | null): readonly VersionLine[] {
  if (now === null || lines.some(({ version }) => version === now)) return lines;
  return [{ version: now, at: null, by: null, changed: null }, ...lines];
}

function lineOfSeen({ version, seenAt }: SeenVersion): VersionLine {
  return { version, at: new Date(seenAt).toISOString(), by: null, changed: null };
}

/** Who made a version and when, where the service tells. */
export function useVersionAuthor(agentId: string, version: number | null) {
  const canTell = useCan("agent_versions") && version !== null;
  const { data, isFetching, refetch } = useQuery({
    ...agentQueries.versions(useApi(), agentId),
    enabled: canTell,
  });
  const found = data?.data.versions?.find((one) => one?.major_version === version);
  // The list may be from before that version.
  useOnceFor(version, canTell && data !== undefined && !found && !isFetching, refetch);
  return { name: personName(found?.creator), at: found?.created_at ?? null };
}

/** Reads a list once more that is from before a version, and then takes it as it is. */
function useOnceFor(version: number | null, isBehind: boolean, refetch: () => unknown): void {
  const asked = useRef<number | null>(null);
  useEffect(() => {
    if (!isBehind || version === null || asked.current === version) return;
    asked.current = version;
    void refetch();
  }, [isBehind, version, refetch]);
}
