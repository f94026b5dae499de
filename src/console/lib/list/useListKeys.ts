import { useEffect, useRef } from "react";
import { type Shortcut, useShortcuts } from "../page/shortcuts.ts";
import type { RowSelection } from "./RowSelection.ts";

type Keys = {
  /** What one row is, in a word: "run". */
  noun: string;
  /** The rows in their order. */
  ids: readonly string[];
  /** The row that one is at. */
  current: string | undefined;
  onMove: (id: string) => void;
  onOpen?: (id: string) => void;
  /** Closes what is shown of the current row. */
  onClose?: () => void;
  /** Where several can be selected. */
  selection?: RowSelection;
  /** Keys of this list alone. */
  others?: readonly Shortcut[];
};

/** The keys of every list: `j` and `k` move, Enter opens, `x`, `J` and `K` select, Escape clears and closes. */
export function useListKeys(keys: Keys): void {
  const { noun, ids, current, onMove, onOpen, onClose, selection, others = [] } = keys;
  const at = ids.indexOf(current ?? "");
  const last = useRef({ id: current, at });
  useEffect(() => {
    if (at >= 0) last.current = { id: current, at };
  }, [current, at]);
  const step = (by: 1 | -1): string | undefined => {
    // What one was at may have left the list, as what is answered does: what took its place is the next one.
    const back = Math.min(by, 0);
    const left = last.current.id === current ? last.current.at + back : back;
    const next = at < 0 ? (ids[left] ?? ids.at(back)) : ids[at + by];
    if (next === undefined) return undefined;
    onMove(next);
    const row = rowOf(next);
    row?.scrollIntoView({ block: "nearest" });
    // Enter follows the link that has the focus: that of the row where one is, then.
    if (document.querySelector("[data-row] a:focus")) row?.querySelector("a")?.focus();
    return next;
  };
  const extend = (by: 1 | -1) => {
    const next = step(by);
    if (next !== undefined) selection?.extendTo(next, current);
  };
  const selecting: readonly Shortcut[] = selection
    ? [
        { keys: "x", does: `Select ${noun}`, run: () => current && selection.toggle(current) },
        { keys: "J", does: `Extend selection to next ${noun}`, run: () => extend(1) },
        { keys: "K", does: `Extend selection to previous ${noun}`, run: () => extend(-1) },
      ]
    : [];
  const closing = selection ? `Clear selection${onClose ? " or close panel" : ""}` : onClose && "Close panel";
  useShortcuts([
    ...selecting,
    ...others,
    { keys: "j", does: `Next ${noun}`, run: () => step(1) },
    { keys: "k", does: `Previous ${noun}`, run: () => step(-1) },
    // At none of them a link that has the focus is followed.
    ...(onOpen && current ? [{ keys: "Enter", does: `Open ${noun}`, run: () => onOpen(current) }] : []),
    ...(closing ? [{ keys: "Escape", does: closing, run: () => selection?.clear() || onClose?.() }] : []),
  ]);
}

/** The row of a list on the page, a table's or a phone's. */
export const rowOf = (id: string) => document.querySelector(`[data-row="${CSS.escape(id)}"]`);
