import { type RefObject, useEffect, useRef } from "react";

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
