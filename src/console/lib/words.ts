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
