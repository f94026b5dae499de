/**
 * A whole number as people write it: `1,200`. Without the language's own formats: the first of them takes a slow machine
 * 80 ms, and each list says a number before it has read anything.
 */
export const grouped = (count: number): string =>
  String(count).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ",");

/** "1 run", "2 runs", "1,200 runs"; nouns with a plural of their own bring it: "1 person", "4 people". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** "Ada, Grace and Mary"; beyond `most` names the rest is counted. */
export function listed(names: readonly string[], most = 4): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : [...shown];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** What waits for a place of a worker. @param before how many probably get one before it */
export const placeWords = (before: number): string =>
  `Waiting for a free place, ${before === 0 ? "next in line" : `${grouped(before)} before it`}.`;
