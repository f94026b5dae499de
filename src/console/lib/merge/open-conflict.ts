/** What a place that asks for a choice has while none was made: it takes the focus, and the next Tab is its first choice. */
export const openConflictProps = { "data-conflict": "open", tabIndex: -1 } as const;

/**
 * Gives the focus to the next place on the page that asks for a choice, after the last one to the first.
 * @returns whether there is one
 */
export function goToOpenConflict(): boolean {
  const all = [...document.querySelectorAll<HTMLElement>("[data-conflict=open]")];
  const active = document.activeElement ?? document.body;
  const isAfter = (one: HTMLElement) =>
    !one.contains(active) && (active.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const next = (active === document.body ? undefined : all.find(isAfter)) ?? all[0];
  next?.focus();
  return next !== undefined;
}
