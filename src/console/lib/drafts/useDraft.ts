import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useApi } from "../api.tsx";
import { useStore } from "../useStore.ts";
import { Draft, type DraftKind, type DraftState } from "./draft.ts";

/** A draft as a page has it: its state, and the ways to change, send and forget it. */
export type PageDraft<D> = DraftState<D> & Pick<Draft<D>, "change" | "discard" | "beginSend">;

/**
 * What a person makes of something in one place and has not sent, kept in this browser.
 * @param place its name among the drafts
 */
export function useDraft<D>(place: string, kind: DraftKind<D>): PageDraft<D> {
  const { drafts } = useApi();
  const draft = useMemo(() => new Draft(drafts, place, kind), [drafts, place, kind]);
  useEffect(() => draft.open(), [draft]);
  const state = useStore(draft.state);
  const { change, discard, beginSend } = draft;
  return { ...state, change, discard, beginSend };
}

/** Texts that were kept and typed stand one after the other. */
const textKind: DraftKind<string> = {
  read: (kept) => (typeof kept === "string" && kept !== "" ? kept : null),
  join: (kept, typed) => `${kept}\n\n${typed}`,
};

/** A text that is being typed in one place. */
export function useTextDraft(place: string) {
  const { draft, keeping, change, beginSend } = useDraft(place, textKind);
  return {
    text: draft ?? "",
    setText: (text: string) => change(() => (text === "" ? null : text)),
    beginSend,
    isKept: draft !== null && keeping === "kept",
  };
}

/**
 * What is kept in one place beside the drafts, as it changes here and in other tabs.
 * @param read makes sense of what is kept, which may be nothing; the same function at each call
 */
export function useKeptValue<T>(place: string, read: (kept: unknown) => T): T {
  const { drafts } = useApi();
  useEffect(() => void drafts.load(), [drafts]);
  const kept = useSyncExternalStore(drafts.subscribe, () => drafts.get(place));
  return useMemo(() => read(kept), [kept, read]);
}
