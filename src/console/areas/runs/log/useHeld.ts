import { type RefObject, useCallback, useEffect, useRef } from "react";

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
