/** What a template may take. All of it is more than a text for people needs; a node `code` has a thread of its own. */
export const limits = {
  /** Of the template itself. */
  characters: 1_000_000,
  /** Of the text that comes out, and of each part of it that is captured. */
  text: 10_000_000,
  /** Of values that come out. */
  values: 500_000,
  /** Characters and items that all of its filters and ranges make. */
  memory: 10_000_000,
  /** The same of one filter, which is done in one go. */
  atOnce: 1_000_000,
  /** Items of one range. */
  range: 100_000,
  /** Characters of a text times those that a filter looks for in it: with texts that are alike each is compared with each. */
  sought: 200_000_000,
  /** Items that one `contains` looks through. */
  compared: 200_000,
  /** Milliseconds, without what it waits for others; they are by the wall, and on a busy machine less is done in them. */
  ms: 3_000,
} as const;

const mostItems = 50_000;
const mostCharacters = 1_000_000;
const mostWritten = 200_000;
/** Each line has the indentation of all that it lies in. */
const mostIndented = 2_000;
const mostSorted = 20_000;
const mostSortedCharacters = 2_000_000;
/** A text is taken as a list of its characters. */
const mostDrawn = 50_000;
/** Of names, formats and expressions. */
const mostOfWord = 10_000;
const mostOfFormat = 1_000;

/** Filters that look at no item, and at no character of a text. */
const free = new Set(["concat", "default", "first", "last", "push", "raw", "reverse", "size", "unshift"]);
/** Filters that take next to nothing for each character, or whose items are taken one by one. */
const light = new Set([
  ...[
    "append",
    "capitalize",
    "downcase",
    "lstrip",
    "prepend",
    "rstrip",
    "slice",
    "strip",
    "truncate",
    "upcase",
  ],
  ...["find", "find_exp", "find_index", "find_index_exp", "group_by", "group_by_exp", "has", "has_exp"],
  ...["map", "reject", "reject_exp", "sum", "where", "where_exp"],
]);
/** Filters that write whatever is inside of a value. */
const written = new Set(["inspect", "json", "jsonify"]);
/** Filters that compare each item with many others, to their last character. */
const sorting = new Set(["sort", "sort_natural"]);
/** Filters that look for what they are given in a text. */
const seeking = new Set([
  ...["remove", "remove_first", "remove_last", "replace", "replace_first", "replace_last", "split"],
]);
/** Filters that put what they are given beside into what they make; others are given a name, a format or an expression. */
const taking = new Set([
  ...["append", "concat", "default", "join", "prepend", "push", ...seeking],
  ...["unshift", "where", "reject", "find", "find_index", "has"],
]);

/**
 * What a filter does to a value it does in one go, in which nothing else is done.
 * @param given beside the value
 * @throws Error for the flow's author where that is too much
 */
export function checkFilter(name: string, value: unknown, given: readonly unknown[]): void {
  checkGiven(name, given);
  if (free.has(name)) return;
  // Lists may lie in lists, each many times.
  if (isMoreThan([value, given], limits.values, limits.text)) throw tooMuch(name, "values", limits.values);
  if (light.has(name)) return;
  if (written.has(name)) {
    const most = given.length > 0 ? mostIndented : mostWritten;
    if (isMoreThan(value, most)) throw tooMuch(name, "values", most);
    return;
  }
  const most = name === "sample" ? mostDrawn : mostCharacters;
  if (typeof value === "string" && value.length > most) throw tooMuch(name, "characters", most);
  if (seeking.has(name)) checkSought(name, value, given[0]);
  checkList(name, value, sorting.has(name) ? mostSorted : mostItems);
  if (isMoreThan(value, mostWritten)) throw tooMuch(name, "values", mostWritten);
  if (sorting.has(name) && isMoreThan(value, mostWritten, mostSortedCharacters))
    throw tooMuch(name, "characters", mostSortedCharacters);
}

function checkGiven(name: string, given: readonly unknown[]): void {
  const most = name.startsWith("date") ? mostOfFormat : mostOfWord;
  for (const [at, one] of given.entries()) {
    // The first of those that compare is the name of a property.
    const isTaken = taking.has(name) && !(at === 0 && light.has(name) && given.length > 1);
    if (!isTaken && isMoreThan(one, limits.values, most)) throw tooMuch(name, "characters beside", most);
  }
}

/** Both may be lists, which are looked through as texts. */
function checkSought(name: string, value: unknown, sought: unknown): void {
  const length = typeof value === "string" ? value.length : limits.atOnce;
  const most = Math.floor(limits.sought / Math.max(1, length));
  if (isMoreThan(sought, most, most))
    throw new Error(
      `"${name}" looks for at most ${most.toLocaleString("en")} characters in a text of ${length.toLocaleString("en")}; a node code takes more`,
    );
}

/** The same of the operator `contains`. */
export function checkContains(list: unknown, item: unknown): void {
  checkList("contains", list, limits.compared);
  if (isMoreThan([list, item], limits.values, limits.text))
    throw tooMuch("contains", "values", limits.values);
}

/** @throws Error for the flow's author where it is a list of more items */
function checkList(name: string, value: unknown, most: number): void {
  if (Array.isArray(value) && value.length > most) throw tooMuch(name, "items", most);
}

function tooMuch(name: string, what: string, most: number): Error {
  return new Error(
    `"${name}" takes at most ${most.toLocaleString("en")} ${what} in a template; a node code takes more`,
  );
}

/** Whether a value has more values in it, or characters in its texts, than this; looks at no more of them. */
export function isMoreThan(value: unknown, most: number, mostCharacters = Number.POSITIVE_INFINITY): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  let characters = 0;
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    seen++;
    if (typeof next === "string") characters += next.length;
    if (typeof next === "object" && next !== null) {
      const inner = Array.isArray(next) ? next : Object.values(next);
      if (seen + open.length + inner.length > most) return true;
      for (const one of inner) open.push(one ?? null);
    }
    if (seen > most || characters > mostCharacters) return true;
  }
  return false;
}
