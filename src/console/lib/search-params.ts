// What an address has and a page does not understand is read as undefined, not left out: the router lays what was read over
// the raw address, where an absent key would let the raw value stand. What a page does not know at all stands there too.

/** A text of the address; a number in it is a text too. Undefined for everything else, and for an empty one. */
export const textParam = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

/** A whole number from 1 on, also as a text; undefined for everything else. */
export const countParam = (value: unknown): number | undefined => {
  const count = typeof value === "string" ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 1 ? count : undefined;
};

/** One of the words that a page knows; undefined for everything else. */
export const wordParam = <T extends string>(value: unknown, ...words: readonly T[]): T | undefined =>
  words.find((word) => word === value);
