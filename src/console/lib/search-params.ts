/** A text of the address; a number in it is a text too. Undefined for everything else, and for an empty one. */
export const textParam = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

/** A whole number from 1 on, also as a text; undefined for everything else. */
export const countParam = (value: unknown): number | undefined => {
  const count = typeof value === "string" ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 1 ? count : undefined;
};

/** The same search without what is not set, so that the address has only what was chosen. */
export const givenParams = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
