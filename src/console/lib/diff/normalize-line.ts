import { plainText } from "../ansi.ts";

/** Stand for a time and an id in an evened line; from the private use area, so that no log writes them by chance. */
export const timeMark = "\uE000";
export const idMark = "\uE001";

/** Lines longer than this are compared as they are: a line may be megabytes long. */
const longest = 20_000;

const moment = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?/g;
const clock = /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g;
const length = /\b\d+(?:\.\d+)? ?(?:ms|µs|s|sec|seconds?|min|minutes?)\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Twelve characters and more without a space, of which some are digits and some are letters. */
const token = /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9_-]{10,62})[A-Za-z0-9]\b/g;

/**
 * A line without colours, with times, lengths of time and ids put behind marks, so that two runs of one flow read alike where they did
 * alike. `ids` are put behind the mark wherever they stand.
 */
export function normalizeLine(line: string, ids: readonly string[] = []): string {
  if (line.length > longest) return line;
  let text = plainText(line);
  for (const id of ids) if (id !== "") text = text.replaceAll(id, idMark);
  return text
    .replace(moment, timeMark)
    .replace(uuid, idMark)
    .replace(clock, timeMark)
    .replace(length, timeMark)
    .replace(token, (word) => (isId(word) ? idMark : word));
}

/** Words with a date or a number in them are names: `orders-2026`, `carriers_v2`. Ids mix digits and letters. */
function isId(word: string): boolean {
  const changes = word.match(/\d+|[A-Za-z]+/g)?.length ?? 0;
  const digits = word.match(/\d/g)?.length ?? 0;
  return /^[0-9a-f]{16,}$/i.test(word) || (changes >= 4 && digits >= 3 && !/[a-z]{6,}/.test(word));
}
