import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { ConsoleError, isForbidden, isNotFound } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { useDraft } from "../../../lib/drafts/useDraft.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { useGoneSignal } from "../../../lib/useGoneSignal.ts";
import { agentMutations, agentQueries, useAgentNews } from "../../directory/index.ts";
import {
  type AgentDraft,
  changedFields,
  draftOf,
  patchOf,
  sameDraft,
  unreadFields,
} from "../agent/agent-draft.ts";
import { compareAnswer } from "../agent/compare.ts";
import {
  agentDraftName,
  agentDrafts,
  changedDraft,
  draftAfterSave,
  type Latest,
  type StoredAgentDraft,
} from "../agent/draft-store.ts";
import type { AgentForm } from "./form.ts";

/** An agent's settings: what the service has, what is edited here, and the ways between the two. */
export function useSettings(agentId: string) {
  const api = useApi();
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const edit = useDraft(agentDraftName(agentId), agentDrafts);
  const { draft, change: edited, discard } = edit;
  const { now } = api.clock;
  const read = useRead(agentQueries.one(api, agentId, draft !== null));
  const agent = read.data?.data.agent;
  const latest = useMemo(() => (agent ? latestOf(agent) : null), [agent]);
  const newer = draft && latest && isNewer(latest, draft) ? latest : null;

  useEffect(() => {
    if (!draft || !newer) return;
    const isUnderstood = Object.keys(draft.texts ?? {}).length === 0;
    // An answer that got lost, or somebody with the same idea: what was wanted is there.
    if (isUnderstood && changedFields(newer.draft, draft.mine).length === 0) discard();
    // A version that touched nothing of what is edited here is no reason for a merge.
    else if (sameDraft(newer.draft, draft.base))
      edited(() => ({ ...draft, baseVersion: newer.version, at: now() }));
  }, [draft, newer, edited, discard, now]);

  // What came of a save stays until the next change.
  const update = useMutation(agentMutations.update(api, agentId));
  const { data: answer, variables: sent, error, reset, isIdle, isPending: isSaving } = update;
  const saved = useMemo(() => {
    const now = answer?.data.agent;
    return answer && sent ? { version: now?.version ?? null, differences: compareAnswer(sent, now) } : null;
  }, [answer, sent]);
  const [conflictWithNothing, setConflictWithNothing] = useState<unknown>(null);
  const isMerged = isVersionConflict(error) && error !== conflictWithNothing;
  const [refusal, setRefusal] = useRefusal(agentId);

  const isRetired = useAgentNews(agentId)?.kind === "retired";
  const isGone = isNotFound(read.error) || isRetired;
  const form = useMemo((): AgentForm | null => {
    if (!latest) return null;
    const base = draft?.base ?? latest.draft;
    const mine = draft?.mine ?? latest.draft;
    const change = (part: Partial<AgentDraft>, texts: Readonly<Record<string, string | null>>) => {
      if (!isIdle) reset();
      edited((before) => changedDraft(before, latest, part, texts, now()));
    };
    return {
      agentId,
      base,
      baseVersion: draft ? draft.baseVersion : latest.version,
      mine,
      newer,
      changed: new Set(changedFields(base, mine)),
      theirs: new Set(newer ? changedFields(base, newer.draft) : []),
      unread: new Set(unreadFields(agent)),
      texts: draft?.texts ?? {},
      offReason: isSaving
        ? "Saving…"
        : refusal
          ? "Your key can read this agent, but not change it"
          : isGone
            ? "This agent no longer exists"
            : undefined,
      write: (part, path) => change(part, path === undefined ? {} : { [path]: null }),
      hold: (path, text) => change({}, { [path]: text }),
    };
  }, [agentId, agent, draft, latest, newer, edited, now, isGone, isSaving, refusal, isIdle, reset]);

  const isOnItsWay = useRef(false);
  const gone = useGoneSignal();
  /**
   * Sends a draft as a change of `from`, once at a time (C-38); a refused version leads to the merge. Whoever left the
   * page meanwhile stays where they are.
   * @returns whether it was saved
   */
  const save = async (from: Latest, mine: AgentDraft): Promise<boolean> => {
    if (isOnItsWay.current) return false;
    isOnItsWay.current = true;
    const settle = edit.beginSend();
    const left = gone();
    try {
      const saved = (await update.mutateAsync(patchOf(from.draft, mine, from.version))).data.agent;
      settle((kept, sent) => draftAfterSave(kept, sent, saved ? latestOf(saved) : null));
      if (left.aborted) return true;
      await navigate({ search: ({ view: _, field: _field, show: _show, ...old }) => old, replace: true });
      return true;
    } catch (failure) {
      if (isForbidden(failure)) setRefusal(failure);
      if (isVersionConflict(failure)) {
        const fresh = await read.refetch();
        // Refused, and yet nothing newer can be read: then there is nothing to merge with, and the refusal is said.
        if (fresh.data?.data.agent?.version === from.version) setConflictWithNothing(failure);
        if (left.aborted) return false;
        await navigate({ search: (old) => ({ ...old, view: "merge" as const }), replace: true });
      }
      return false;
    } finally {
      isOnItsWay.current = false;
    }
  };
  return {
    edit,
    agent,
    newer,
    isGone,
    form,
    save,
    isSaving,
    /** What the last save made, and where it differs from what was sent. */
    saved,
    forgetSaved: reset,
    /** Why the last save failed, where it is neither forbidden nor to be merged. */
    saveError: isForbidden(error) || isMerged ? null : error,
    /** The service said that this key may not change the agent. */
    refusal,
    forgetRefusal: () => setRefusal(null),
  };
}

export type Settings = ReturnType<typeof useSettings>;

/** A refused change, known beyond this page: whoever comes back is not let to type in vain again. */
function useRefusal(agentId: string) {
  const client = useQueryClient();
  const queryKey = ["refused", ...agentQueries.one(useApi(), agentId).queryKey];
  const { data = null } = useQuery<ConsoleError | null>({
    queryKey,
    queryFn: skipToken,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return [data, (next: ConsoleError | null) => client.setQueryData(queryKey, next)] as const;
}

const isVersionConflict = (error: unknown): boolean =>
  error instanceof ConsoleError && error.code === "agent_version_conflict";

const latestOf = (agent: { readonly version?: number | null | undefined }): Latest => ({
  draft: draftOf(agent),
  version: agent.version ?? null,
});

function isNewer(latest: Latest, { base, baseVersion }: StoredAgentDraft): boolean {
  if (latest.version === null || baseVersion === null) return !sameDraft(latest.draft, base);
  return latest.version > baseVersion;
}
