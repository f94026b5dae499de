import { type Shortcut, useShortcuts } from "../page/shortcuts.ts";

/** `j` and `k` where no row is selected: they move the focus. */
export function useFocusKeys(noun: string, others: readonly Shortcut[] = []): void {
  useShortcuts([
    ...others,
    { keys: "j", does: `Next ${noun}`, run: () => stepFocus(1) },
    { keys: "k", does: `Previous ${noun}`, run: () => stepFocus(-1) },
  ]);
}

/** Moves the focus through the links that carry `data-stop`. */
export function stepFocus(by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>("[data-stop]")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[at === -1 ? (by === 1 ? 0 : stops.length - 1) : at + by]?.focus();
}
