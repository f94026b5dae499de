import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useApi } from "../api.tsx";
import { isObject } from "../json/json-value.ts";
import type { ListEntry } from "./merge-list.ts";
import {
  type Choice,
  type Choices,
  type Conflict,
  carryChoices,
  conflictsOf,
  type MergeResult,
  openConflicts,
  resolve,
} from "./merge-record.ts";
import type { MergeKind } from "./merge-value.ts";

/** What a person chose so far, and how they choose. */
export interface Choosing {
  readonly choices: Choices;
  /** Null takes a choice back. */
  choose(ids: readonly string[], choice: Choice | null): void;
}

/** Three versions in one, with what the person chose so far. */
export interface Merge<T> extends Choosing {
  readonly result: MergeResult<T>;
  readonly conflicts: readonly Conflict[];
  /** Those without a choice. */
  readonly open: readonly Conflict[];
  /** What all of it makes. */
  readonly resolved: T;
  /** Forgets the choices: what they were made for was saved or thrown away. */
  forget(): void;
}

/** What the parts of the view of a merge have in common. */
export interface MergeView extends Choosing {
  /** "Version 14" */
  readonly baseName: string;
  /** "version 15" */
  readonly theirsName: string;
  /** What is said beside each side's lines: "your draft", "version 15, Aiko Tan 09:36". */
  readonly mineAbout?: ReactNode;
  readonly theirsAbout?: ReactNode;
}

/** How the fields of a merge are called. */
export interface FieldNames {
  /** "System prompt" */
  readonly titleOf: (field: string) => string;
  /** In a sentence: "the system prompt". */
  readonly phraseOf: (field: string) => string;
  /** An item of a list in the singular: "Tool". */
  readonly itemTitle: (field: string) => string;
  readonly itemName: (entry: ListEntry) => string;
  /** An item in a few words; null: that it is there says all; undefined: it is shown as it is. */
  readonly sayItem: (field: string, item: unknown) => string | null | undefined;
}

/** Whose a change is, in a word. */
export const whose: Readonly<Record<MergeKind, string>> = {
  same: "same",
  mine: "yours",
  theirs: "theirs",
  both: "both",
  conflict: "to choose",
};

interface Three<T> {
  readonly base: T;
  readonly theirs: T;
  readonly mine: T;
}

interface Options<T> {
  /** The name under which the choices are kept, like a draft. */
  readonly place: string;
  /** Null: there is nothing to merge now. */
  readonly three: Three<T> | null;
  /** There is nothing any more that choices could belong to. */
  readonly isOver: boolean;
  readonly merge: (base: T, theirs: T, mine: T) => MergeResult<T>;
  /** What was kept of a version. */
  readonly read: (kept: unknown) => T;
}

/**
 * A merge with its choices, which are kept in this browser; null where there is nothing to merge. When another version
 * comes, those stay of which nothing changed, and only the others are asked anew.
 */
export function useMerge<T>({ place, three, isOver, merge, read }: Options<T>): Merge<T> | null {
  const { drafts } = useApi();
  const result = useMemo(() => three && merge(three.base, three.theirs, three.mine), [three, merge]);
  const [state, setState] = useState<{ result: MergeResult<T>; choices: Choices } | null>(null);
  if (result !== null && state?.result !== result) {
    const before = state ?? keptMerge(drafts.get(place), merge, read);
    setState({ result, choices: before ? carryChoices(before.result, result, before.choices) : {} });
  }
  const choices = state?.result === result ? state?.choices : undefined;

  const choose = useCallback(
    (ids: readonly string[], choice: Choice | null) => {
      if (!three || !choices) return;
      const rest = Object.entries(choices).filter(([id]) => !ids.includes(id));
      const added = choice === null ? [] : ids.map((id) => [id, choice] as const);
      const next = Object.fromEntries([...rest, ...added]);
      void drafts.set(place, { ...three, choices: next });
      setState((before) => before && { ...before, choices: next });
    },
    [place, three, choices, drafts],
  );
  const forget = useCallback(() => {
    setState(null);
    void drafts.remove(place);
  }, [place, drafts]);

  useEffect(() => {
    if (isOver && state !== null) forget();
  }, [isOver, state, forget]);

  return useMemo(() => {
    if (!result || !choices) return null;
    return {
      result,
      conflicts: conflictsOf(result),
      open: openConflicts(result, choices),
      choices,
      resolved: resolve(result, choices),
      choose,
      forget,
    };
  }, [result, choices, choose, forget]);
}

/** The choices of an earlier page load, with the merge that they were made in. */
function keptMerge<T>(kept: unknown, merge: Options<T>["merge"], read: Options<T>["read"]) {
  if (!isObject(kept) || !isObject(kept.choices)) return null;
  const choices = Object.fromEntries(
    Object.entries(kept.choices).filter((entry): entry is [string, Choice] => isChoice(entry[1])),
  );
  return { result: merge(read(kept.base), read(kept.theirs), read(kept.mine)), choices };
}

const isChoice = (value: unknown): boolean =>
  value === "mine" ||
  value === "theirs" ||
  value === "both" ||
  (isObject(value) && Object.hasOwn(value, "write"));

/** Where conflicts are, in words: "a place in the system prompt", "almanac among the tools". */
export function placesOf(
  { open, result }: Pick<Merge<unknown>, "open" | "result">,
  { phraseOf, itemName }: FieldNames,
): readonly string[] {
  const words = open.map((conflict) => {
    const phrase = phraseOf(conflict.field);
    if (conflict.form === "lines") return `a conflict in ${phrase}`;
    if (conflict.form === "order") return `the order of ${phrase}`;
    const field = result.fields.find((one) => one.field === conflict.field);
    if (conflict.identity !== null && field?.form === "list") {
      const entry = field.entries.find((one) => one.identity === conflict.identity);
      return `${entry ? itemName(entry) : conflict.identity} in ${phrase}`;
    }
    const path = conflict.path.join(".").replaceAll("_", " ");
    return path === "" ? phrase : `${path} in ${phrase}`;
  });
  return [...new Set(words)];
}
