import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds now; false where the browser has no such thing, as in tests. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = globalThis.matchMedia?.(query);
      list?.addEventListener("change", listener);
      return () => list?.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => globalThis.matchMedia?.(query)?.matches ?? false);
}

/** Two-line rows, sheets, acts behind "…": the widths of the design tokens. */
export const phone = "(max-width: 39.99875em)";
/** Below this a list's panel is a page of its own. */
export const noPanel = "(max-width: 56.24875em)";
/** Below this a run's right column becomes tabs. */
export const noColumn = "(max-width: 73.74875em)";
