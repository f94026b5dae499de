import { type RefObject, useEffect, useRef } from "react";
import { rowOf } from "../list/useListKeys.ts";

/**
 * Gives the focus a place where a step took away what had it: a button that was pressed, a field that is there no more.
 * @param step how far it is; the first one that is known moves nothing
 * @param place where it goes then; without it to the page's content
 */
export function useFocusKept(step: string | null | undefined, place?: RefObject<HTMLElement | null>): void {
  const before = useRef(step);
  useEffect(() => {
    const isFirst = before.current == null || before.current === step;
    before.current = step;
    if (isFirst || document.activeElement !== document.body) return;
    (place?.current ?? document.getElementById("content"))?.focus({ preventScroll: true });
  }, [step, place]);
}

/**
 * Gives the focus a place when a panel opens or closes: where there is no room for both, it takes the page's place.
 * @param panel where it goes then, and when one panel takes the place of another. A panel that is gone gives it back to
 * the row that it was of; where that is not in the list, to the page's content
 */
export function useFocusBeside(panel: RefObject<HTMLElement | null>): void {
  const row = useRef<string>(undefined);
  useEffect(() => {
    // The list may come after its panel.
    row.current =
      document.querySelector<HTMLElement>("[data-row][data-selected]")?.dataset.row ?? row.current;
  });
  useEffect(() => {
    const content = document.getElementById("content");
    // A browser takes the focus from what is hidden only a moment later; test environments hide nothing.
    const isHidden = (element: Element | null) => element?.checkVisibility?.() === false;
    const { activeElement } = document;
    if (isHidden(content) && (activeElement === document.body || isHidden(activeElement)))
      panel.current?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement !== document.body) return;
      const next = document.querySelector<HTMLElement>("[data-panel]");
      const link = row.current === undefined ? null : rowOf(row.current)?.querySelector("a");
      (next ?? link ?? content)?.focus({ preventScroll: !link });
    };
  }, [panel]);
}

/** Gives the focus to the page's content where what is drawn here goes away with it: its button was pressed. */
export function useFocusLeft(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.getElementById("content")?.focus({ preventScroll: true });
    },
    [],
  );
}
