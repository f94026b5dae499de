import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AgentChange } from "../../../../contract/agents.ts";
import { ConsoleError, isForbidden } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { agentMutations, agentQueries } from "../../directory/index.ts";

import { type AgentDraft, draftOf, patchOf } from "../agent/agent-draft.ts";
import { compareAnswer, type Difference } from "../agent/compare-answer.ts";
import type { Latest } from "./edit-store.ts";

/** What a save made. */
export interface Saved {
  readonly version: number | null;
  readonly sent: AgentChange;
  /** Between what was sent and what came back. */
  readonly differences: readonly Difference[];
}

export type SaveOutcome = "saved" | "conflict" | "failed";

/** Saves a draft, once at a time (C-38). What came of it stays until the next change. */
export function useSaver(agentId: string) {
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
