import type { KeyboardEvent, RefObject } from "react";
import type { NamedKeys } from "../../../lib/page/shortcuts.ts";
import type { LineSelection } from "./log-options.ts";
import type { LogView } from "./log-view.ts";
import type { LogLinesHandle } from "./useLineScroll.ts";
import type { LogSearch } from "./useLogSearch.ts";

interface Parts {
  readonly view: Pick<LogView, "rowOf" | "lineAt" | "count">;
  readonly length: number;
  readonly selection: Pick<LineSelection, "head" | "range" | "moveTo" | "selectAll" | "clear">;
  readonly search: Pick<LogSearch, "go">;
  readonly lines: RefObject<Pick<LogLinesHandle, "toStart" | "toEnd" | "top" | "show"> | null>;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Whether letters act; arrows, Home, End and what has a command key always do. */
  readonly hasLetters: boolean;
}

/** What is asked of a key that was pressed. */
type Press = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "preventDefault"> &
  Readonly<Record<"target" | "currentTarget", unknown>>;

/** The keys of the lines, for the sheet that names the keys. */
export const logKeyNames: readonly NamedKeys[] = [
  { keys: "j", does: "Next line; with Shift, select" },
  { keys: "k", does: "Previous line; with Shift, select" },
  { keys: "g", does: "Go to first line" },
  { keys: "G", does: "Go to end and follow" },
  { keys: "n", does: "Next match" },
  { keys: "N", does: "Previous match" },
  { keys: "mod+a", does: "Select all lines" },
];

/**
 * What keys do in the lines: j and k walk, with shift they choose, g and G go to the ends, n and N to hits, control with
 * a chooses all, Escape lets go. What is not one of these is left to the browser.
 */
export function logKeys({ view, length, selection, search, lines, onFollow, hasLetters }: Parts) {
  const walk = (step: 1 | -1, isRange: boolean) => {
    const top = lines.current?.top() ?? 1;
    const row = selection.head === undefined ? view.rowOf(top - 1) : view.rowOf(selection.head - 1) + step;
    if (row < 0 || row >= view.count) return;
    const number = view.lineAt(row) + 1;
    onFollow(false);
    selection.moveTo(number, isRange);
    lines.current?.show(number);
  };
  return (event: Press): void => {
    if (event.altKey || event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "a") return;
      event.preventDefault();
      selection.selectAll(length);
      return;
    }
    if (!hasLetters && event.key.length === 1) return;
    const act = actOf(event.key, event.shiftKey, { walk, selection, search, lines, onFollow });
    if (!act) return;
    // `g` may be the first of two keys that lead to another page.
    if (event.key !== "g") event.preventDefault();
    act();
  };
}

type Actions = Pick<Parts, "selection" | "search" | "lines" | "onFollow"> & {
  walk: (step: 1 | -1, isRange: boolean) => void;
};

function actOf(
  key: string,
  isShift: boolean,
  { walk, selection, search, lines, onFollow }: Actions,
): (() => void) | null {
  switch (key) {
    case "j":
    case "J":
      return () => walk(1, isShift);
    case "k":
    case "K":
      return () => walk(-1, isShift);
    case "ArrowDown":
      return isShift ? () => walk(1, true) : null;
    case "ArrowUp":
      return isShift ? () => walk(-1, true) : null;
    case "g":
    case "Home":
      return () => {
        onFollow(false);
        lines.current?.toStart();
      };
    case "G":
    case "End":
      return () => {
        onFollow(true);
        lines.current?.toEnd();
      };
    case "n":
      return () => search.go(1);
    case "N":
      return () => search.go(-1);
    case "Escape":
      return selection.range ? selection.clear : null;
    default:
      return null;
  }
}
