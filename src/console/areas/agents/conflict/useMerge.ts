import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import type { Drafts } from "../../../lib/history/drafts.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { type AgentDraft, draftOf } from "../agent/agent-draft.ts";
import type { StoredAgentDraft } from "../agent/draft-store.ts";
import {
  type Choice,
  type Choices,
  type Conflict,
  carryChoices,
  conflictsOf,
  type ListEntry,
  type MergedField,
  type MergeKind,
  type MergeResult,
  mergeAgents,
  openConflicts,
  resolve,
} from "../agent/merge.ts";
import { fieldPhrase } from "../labels.ts";
import type { Latest } from "../settings/edit-store.ts";

/** A draft and a newer version in one, with what the person chose so far. */
export interface Merge {
  readonly result: MergeResult;
  readonly theirs: Latest;
  readonly baseVersion: number | null;
  readonly conflicts: readonly Conflict[];
  /** Those without a choice. */
  readonly open: readonly Conflict[];
  readonly choices: Choices;
  /** What all of it makes. */
  readonly resolved: AgentDraft;
  /** Null takes a choice back. */
  choose(ids: readonly string[], choice: Choice | null): void;
  /** Forgets the choices: the draft was saved or thrown away. */
  forget(): void;
}

/** What the parts of the merge have in common. */
export interface MergeView {
  readonly merge: Merge;
  /** "Version 14" */
  readonly baseName: string;
  /** "version 15" */
  readonly theirsName: string;
  readonly mineAbout: ReactNode;
  readonly theirsAbout: ReactNode;
}

const placeOf = (agentId: string): string => `merge ${agentId}`;

/**
 * The merge of a draft with what the service has now; null where there is nothing to merge. The choices are kept like the
 * draft. When another version comes, those stay of which nothing changed, and only the others are asked anew.
 */
export function useMerge(
  agentId: string,
  draft: StoredAgentDraft | null,
  newer: Latest | null,
): Merge | null {
  const { drafts } = useApi();
  const result = useMemo(
    () => (draft && newer ? mergeAgents(draft.base, newer.draft, draft.mine) : null),
    [draft, newer],
  );
  const [state, setState] = useState<{ result: MergeResult; choices: Choices } | null>(null);
  if (result !== null && state?.result !== result) {
    const before = state ?? keptMerge(drafts, agentId);
    setState({ result, choices: before ? carryChoices(before.result, result, before.choices) : {} });
  }
  const choices = state?.result === result ? state?.choices : undefined;

  const choose = useCallback(
    (ids: readonly string[], choice: Choice | null) => {
      if (!draft || !newer) return;
      setState((before) => {
        if (before === null) return before;
        const rest = Object.fromEntries(Object.entries(before.choices).filter(([id]) => !ids.includes(id)));
        const next =
          choice === null ? rest : { ...rest, ...Object.fromEntries(ids.map((id) => [id, choice])) };
        void drafts.set(placeOf(agentId), {
          base: draft.base,
          theirs: newer.draft,
          mine: draft.mine,
          choices: next,
        });
        return { ...before, choices: next };
      });
    },
    [agentId, draft, drafts, newer],
  );
  const forget = useCallback(() => {
    setState(null);
    void drafts.remove(placeOf(agentId));
  }, [agentId, drafts]);

  // Without a draft there is nothing that the choices belong to.
  const isOver = draft === null && state !== null;
  useEffect(() => {
    if (isOver) forget();
  }, [isOver, forget]);

  return useMemo(() => {
    if (!result || !newer || !draft || !choices) return null;
    return {
      result,
      theirs: newer,
      baseVersion: draft.baseVersion,
      conflicts: conflictsOf(result),
      open: openConflicts(result, choices),
      choices,
      resolved: resolve(result, choices),
      choose,
      forget,
    };
  }, [result, newer, draft, choices, choose, forget]);
}

/** The choices of an earlier page load, with the merge that they were made in. */
function keptMerge(drafts: Drafts, agentId: string): { result: MergeResult; choices: Choices } | null {
  const kept = drafts.get(placeOf(agentId));
  if (!isObject(kept) || !isObject(kept.choices)) return null;
  const choices = Object.fromEntries(
    Object.entries(kept.choices).filter((entry): entry is [string, Choice] => isChoice(entry[1])),
  );
  return { result: mergeAgents(draftOf(kept.base), draftOf(kept.theirs), draftOf(kept.mine)), choices };
}

const isChoice = (value: unknown): boolean =>
  value === "mine" ||
  value === "theirs" ||
  value === "both" ||
  (isObject(value) && Object.hasOwn(value, "write"));

/** Whose a change is, in a word. */
export const whose: Readonly<Record<MergeKind, string>> = {
  same: "same",
  mine: "yours",
  theirs: "theirs",
  both: "both",
  conflict: "to choose",
};

/** How a merged item is called; null where it has no name of its own. */
export type NameOf = (entry: Pick<ListEntry, "identity" | "base" | "mine" | "theirs">) => string;

/** Where a conflict is, in words: "a place in the system prompt", "almanac among the tools". */
export function placeWords(conflict: Conflict, field: MergedField | undefined, nameOf: NameOf): string {
  const words = fieldPhrase(conflict.field);
  if (conflict.form === "lines") return `a place in ${words}`;
  if (conflict.form === "order") return `the order of ${words}`;
  if (conflict.identity !== null && field?.form === "list") {
    const entry = field.entries.find((one) => one.identity === conflict.identity);
    return `${entry ? nameOf(entry) : conflict.identity} among ${words}`;
  }
  const path = conflict.path.join(".").replaceAll("_", " ");
  return path === "" ? words : `${path} in ${words}`;
}
