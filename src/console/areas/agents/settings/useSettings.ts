import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { AgentChange } from "../../../../contract/agents.ts";
import { ConsoleError, isForbidden, isNotFound } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { agentMutations, agentQueries, personName, useAgentNews } from "../../directory/index.ts";
import { compareAnswer, type Difference } from "../agent/agent-diff.ts";
import {
  type AgentDraft,
  changedFields,
  draftOf,
  patchOf,
  sameDraft,
  unreadFields,
} from "../agent/agent-draft.ts";
import { EditStore, type Latest } from "./edit-store.ts";
import type { AgentForm } from "./form.ts";

/** An agent's settings: what the service has, what is edited here, and the ways between the two. */
export function useSettings(agentId: string) {
  const api = useApi();
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const [store] = useState(
    () => new EditStore({ drafts: api.drafts, agentId, now: api.clock.now, page: window }),
  );
  useEffect(() => store.open(), [store]);
  const edit = useSyncExternalStore(store.state.subscribe, store.state.get);
  const { draft } = edit;
  const options = agentQueries.one(api, agentId, draft !== null);
  const read = useRead(options);
  const agent = read.data?.data.agent;
  const latest = useMemo((): Latest | null => {
    return agent ? { draft: draftOf(agent), version: agent.version ?? null } : null;
  }, [agent]);
  const saver = useSaver(agentId);
  const newer = draft && latest && isNewer(latest, draft) ? latest : null;

  useEffect(() => {
    if (!draft || !newer) return;
    const isUnderstood = Object.keys(draft.texts ?? {}).length === 0;
    // An answer that got lost, or somebody with the same idea: what was wanted is there.
    if (isUnderstood && changedFields(newer.draft, draft.mine).length === 0) store.discard();
    // A version that touched nothing of what is edited here is no reason for a merge.
    else if (sameDraft(newer.draft, draft.base)) store.restore({ ...draft, baseVersion: newer.version });
  }, [draft, newer, store]);

  const news = useAgentNews(agentId);
  const isGone = isNotFound(read.error) || news?.kind === "retired";
  const form = useMemo((): AgentForm | null => {
    if (!latest) return null;
    const base = draft?.base ?? latest.draft;
    const mine = draft?.mine ?? latest.draft;
    const change: EditStore["change"] = (from, part, texts) => {
      saver.setError(null);
      saver.setSaved(null);
      store.change(from, part, texts);
    };
    return {
      base,
      baseVersion: draft ? draft.baseVersion : latest.version,
      mine,
      newer,
      changed: new Set(changedFields(base, mine)),
      theirs: new Set(newer ? changedFields(base, newer.draft) : []),
      unread: new Set(unreadFields(agent)),
      texts: draft?.texts ?? {},
      offReason: saver.isSaving
        ? "It is being saved"
        : saver.refusal
          ? "Your key may read this agent, but not change it"
          : isGone
            ? "The agent is gone: it takes no changes"
            : undefined,
      write: (part, path) => change(latest, part, path === undefined ? {} : { [path]: null }),
      hold: (path, text) => change(latest, {}, { [path]: text }),
    };
  }, [
    agent,
    draft,
    latest,
    newer,
    store,
    isGone,
    saver.isSaving,
    saver.refusal,
    saver.setError,
    saver.setSaved,
  ]);

  /** Sends a draft as a change of `from`; a refused version leads to the merge. */
  const save = async (from: Latest, mine: AgentForm["mine"]) => {
    const settle = store.beginSave();
    const outcome = await saver.save(from, mine, settle);
    if (outcome === "saved") {
      await navigate({ search: ({ view: _, field: _field, show: _show, ...old }) => old, replace: true });
    }
    if (outcome === "conflict") {
      const fresh = await read.refetch();
      // Refused, and yet nothing newer can be read: then there is nothing to merge with, and the refusal is said.
      if (fresh.data?.data.agent?.version === from.version) saver.tellConflict();
      await navigate({ search: (old) => ({ ...old, view: "merge" as const }), replace: true });
    }
    return outcome;
  };
  return { edit, store, read, options, agent, latest, newer, news, isGone, form, save, saver };
}

export type Settings = ReturnType<typeof useSettings>;

/** Who made a version and when, where the service tells. */
export function useVersionAuthor(agentId: string, version: number | null) {
  const canTell = useCan("agent_versions") && version !== null;
  const versions = useQuery({
    ...agentQueries.versions(useApi(), agentId),
    enabled: canTell,
    select: rowsOf,
  });
  const found = versions.data?.find((one) => one?.major_version === version);
  // The list may be from before that version: it is read once more, and then taken as it is.
  const asked = useRef<number | null>(null);
  const isOld = canTell && versions.data !== undefined && !found && !versions.isFetching;
  const { refetch } = versions;
  useEffect(() => {
    if (!isOld || asked.current === version) return;
    asked.current = version;
    void refetch();
  }, [isOld, version, refetch]);
  return { name: personName(found?.creator), at: found?.created_at ?? null };
}

const rowsOf = (answer: { data: { versions?: unknown } }) =>
  (answer.data.versions ?? []) as readonly ({
    readonly major_version?: number | null;
    readonly created_at?: string | null;
    readonly creator?: Parameters<typeof personName>[0];
  } | null)[];

function isNewer(
  latest: Latest,
  { base, baseVersion }: { base: Latest["draft"]; baseVersion: number | null },
) {
  if (latest.version === null || baseVersion === null) return !sameDraft(latest.draft, base);
  return latest.version > baseVersion;
}

/** What a save made. */
export interface Saved {
  readonly version: number | null;
  readonly sent: AgentChange;
  /** Between what was sent and what came back. */
  readonly differences: readonly Difference[];
}

type SaveOutcome = "saved" | "conflict" | "failed";

/** Saves a draft, once at a time (C-38). What came of it stays until the next change. */
function useSaver(agentId: string) {
  const api = useApi();
  const client = useQueryClient();
  const update = useMutation(agentMutations.update(api, agentId));
  const isOnItsWay = useRef(false);
  const conflict = useRef<ConsoleError | null>(null);
  const [saved, setSaved] = useState<Saved | null>(null);
  const [error, setError] = useState<unknown>(null);
  // Known beyond this page: whoever comes back is not let to type in vain again.
  const refusedKey = ["refused", ...agentQueries.one(api, agentId).queryKey];
  const { data: refusal = null } = useQuery<ConsoleError | null>({
    queryKey: refusedKey,
    queryFn: skipToken,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const setRefusal = (next: ConsoleError | null) => client.setQueryData(refusedKey, next);

  /**
   * @param from what `mine` is sent as a change of; its version goes along
   * @param onSaved is told the agent as the save made it; null where the answer did not tell
   */
  const save = async (
    from: Latest,
    mine: AgentDraft,
    onSaved: (now: Latest | null) => void,
  ): Promise<SaveOutcome | null> => {
    if (isOnItsWay.current) return null;
    isOnItsWay.current = true;
    setError(null);
    setSaved(null);
    const sent = patchOf(from.draft, mine, from.version);
    try {
      const { agent } = (await update.mutateAsync(sent)).data;
      onSaved(agent ? { draft: draftOf(agent), version: agent.version ?? null } : null);
      setSaved({ version: agent?.version ?? null, sent, differences: compareAnswer(sent, agent) });
      return "saved";
    } catch (failure) {
      if (failure instanceof ConsoleError && failure.code === "agent_version_conflict") {
        conflict.current = failure;
        return "conflict";
      }
      if (isForbidden(failure)) setRefusal(failure);
      else setError(failure);
      return "failed";
    } finally {
      isOnItsWay.current = false;
    }
  };
  return {
    save,
    isSaving: update.isPending,
    saved,
    setSaved,
    /** Why the last save failed, where it was neither a conflict nor forbidden. */
    error,
    setError,
    /** Says the last conflict as an error: nothing newer could be read. */
    tellConflict: () => setError(conflict.current),
    /** The service said that this key may not change the agent. */
    refusal,
    forgetRefusal: () => setRefusal(null),
  };
}
