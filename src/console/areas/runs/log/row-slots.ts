import { type RefObject, useCallback, useEffect, useRef } from "react";

/**
 * Which element shows which line. A line keeps its element for as long as it is drawn; lines that come take the elements
 * of lines that went, because writing another text into a row costs a fraction of making a row.
 */
export class RowSlots {
  #slots = new Map<number, number>();
  #made = 0;

  /**
   * @param lines those to draw, in order
   * @param canReuse false: every line that comes has an element of its own, so that what a person has selected in a line
   *   does not become another line's
   * @returns the key of each line's element
   */
  assign(lines: readonly number[], canReuse: boolean): readonly number[] {
    const drawn = new Set(lines);
    const free = canReuse ? [...this.#slots].flatMap(([line, slot]) => (drawn.has(line) ? [] : [slot])) : [];
    const slots = new Map<number, number>();
    for (const line of lines) {
      const slot = this.#slots.get(line);
      if (slot !== undefined) slots.set(line, slot);
    }
    for (const line of lines) if (!slots.has(line)) slots.set(line, free.shift() ?? this.#next());
    this.#slots = slots;
    return lines.map((line) => slots.get(line) ?? this.#next());
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }
}

/**
 * Whether somebody has selected text in a list, or works in one of its rows. It is noted when the selection or the focus
 * moves: asking the document while rows are drawn makes it lay out the page once more for each poll.
 */
export function useHeld(list: RefObject<HTMLElement | null>): () => boolean {
  const held = useRef(false);
  useEffect(() => {
    const look = () => {
      held.current = list.current !== null && isHeld(list.current);
    };
    look();
    const moves = ["selectionchange", "focusin", "focusout"] as const;
    for (const move of moves) document.addEventListener(move, look);
    return () => {
      for (const move of moves) document.removeEventListener(move, look);
    };
  }, [list]);
  return useCallback(() => held.current, []);
}

function isHeld(list: HTMLElement): boolean {
  if (list.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return false;
  return list.contains(selection.anchorNode) || list.contains(selection.focusNode);
}
