import { eventLoopTurn } from "../event-loop-turn.ts";
import { endOfString, isSoundText } from "../json.ts";
import { ServiceError } from "../service-error.ts";

/**
 * Deeper or larger JSON is refused before it is built, in one pass over the text. `keys`: different ones, of which each
 * costs the engine a hundred times what a value costs.
 */
const limits = { depth: 100, values: 200_000, keys: 20_000, key: 4096 };
/** Longer texts are read in steps, in characters. */
const long = 256 * 1024;
/** Values and members of one step. */
const step = 10_000;

const invalid = (message: string, param?: string) =>
  new ServiceError("invalid_body", { message, ...(param === undefined ? {} : { param }) });

/**
 * Parses a body's text into plain data that the database can keep: keys such as `__proto__` are own keys and nothing more.
 * @param text "" is read as `{}`, so that a missing body fails by the field that it lacks
 * @throws ServiceError `invalid_body` (400) naming what is wrong: no JSON, too deep, too many values or keys, a key twice, a
 * number too large to be kept exactly, NUL or a broken surrogate pair in a string (with the field)
 */
export function parseBody(text: string): unknown {
  if (text === "") return {};
  const { members, rounded } = toEnd(scan(text));
  const value = build(text, rounded);
  compare(toEnd(inspect(value)), members);
  return value;
}

/** The same; the passes over a long text have pauses for all others, and of several such texts one goes on at a time. */
export async function parseBodyInSteps(text: string): Promise<unknown> {
  if (text.length < long) return parseBody(text);
  await eventLoopTurn();
  const { members, rounded } = await withPauses(scan(text));
  // A step of its own, as what is built at once is long.
  await eventLoopTurn();
  const value = build(text, rounded);
  await eventLoopTurn();
  compare(await withPauses(inspect(value)), members);
  return value;
}

/** Work that can be left for a moment wherever it yields. */
type InSteps<T> = Generator<void, T>;

function toEnd<T>(work: InSteps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

async function withPauses<T>(work: InSteps<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await eventLoopTurn();
  }
}

/** @param rounded in its place stands a number beyond all numbers, for which the look at what was built finds its field */
function build(text: string, rounded: Span | null): unknown {
  try {
    return JSON.parse(
      rounded === null ? text : `${text.slice(0, rounded.from)}1e999${text.slice(rounded.to)}`,
    );
  } catch {
    throw invalid("The body is not valid JSON.");
  }
}

function compare(found: number, members: number): void {
  if (found !== members) throw invalid("The body has an object with the same key twice.");
}

/** A part of a text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Scanned {
  /** How many the objects of the text have, a key that comes twice counted twice. */
  readonly members: number;
  /** The first whole number that would not be what it was when it is read; null: there is none. */
  readonly rounded: Span | null;
}

function* scan(text: string): InSteps<Scanned> {
  let depth = 0;
  let values = 0;
  let members = 0;
  let begun = 0;
  let rounded: Span | null = null;
  const keys = new Set<string>();
  const count = () => {
    if (++values > limits.values) throw invalid(`The body has more than ${limits.values} values.`);
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x22) {
      begun = at;
      at = endOfString(text, at);
      if (at === -1) throw invalid("The body is not valid JSON.");
    } else if (character === 0x7b || character === 0x5b) {
      if (++depth > limits.depth) throw invalid(`The body is nested deeper than ${limits.depth} levels.`);
      count();
    } else if (character === 0x7d || character === 0x5d) depth--;
    else if (character === 0x3a) {
      members++;
      if (at - begun <= limits.key) keys.add(text.slice(begun, at));
      if (keys.size > limits.keys) throw invalid(`The body has more than ${limits.keys} different keys.`);
      if (members % step === 0) yield;
    } else if (character === 0x2c) {
      count();
      if (values % step === 0) yield;
    } else if (isDigit(character)) {
      const from = at;
      at = endOfNumber(text, from) - 1;
      if (rounded === null && isRounded(text, from, at + 1)) rounded = { from, to: at + 1 };
    }
  }
  return { members, rounded };
}

const isDigit = (character: number) => character >= 0x30 && character <= 0x39;

/** With its fraction and exponent. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at);
    // A point, both signs, and "e" in either case.
    const goesOn =
      character === 0x2e || character === 0x2b || character === 0x2d || (character | 0x20) === 0x65;
    if (!isDigit(character) && !goesOn) break;
  }
  return at;
}

/** Whether a whole number is so long that it becomes another one when it is read. */
function isRounded(text: string, from: number, to: number): boolean {
  // As long as the shortest that may, and the longest that is not beyond all numbers.
  if (to - from < 16 || to - from > 309) return false;
  const literal = text.slice(from, to);
  const value = Number(literal);
  if (Number.isSafeInteger(value) || !Number.isFinite(value) || /\D/.test(literal)) return false;
  // JavaScript itself writes large numbers with fewer digits than they have: what comes back is what was sent.
  return String(value) !== literal && BigInt(value) !== BigInt(literal);
}

/** Where a value lies, kept as a chain: only an error ever spells it out. */
type Place = { readonly key: string | number; readonly parent: Place | null } | null;

/** Walks without recursion. @returns how many members the objects of this value have */
function* inspect(root: unknown): InSteps<number> {
  let members = 0;
  let looked = 0;
  const open: { readonly value: object; readonly place: Place }[] = [];
  const look = (value: unknown, key: string | number, parent: Place) => {
    if (typeof value === "string") checkText(value, key, parent);
    else if (typeof value === "number" && !Number.isFinite(value)) {
      const path = pathOf({ key, parent });
      throw invalid(
        `${shown(path)} holds a number that is too large to be kept exactly: send it as text.`,
        path,
      );
    } else if (typeof value === "object" && value !== null) open.push({ value, place: { key, parent } });
  };
  look(root, "", null);
  for (let item = open.pop(); item; item = open.pop()) {
    if (++looked % step === 0) yield;
    const { value, place } = item;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) look(value[at], at, place);
    } else {
      for (const [key, child] of Object.entries(value)) {
        members++;
        if (members % step === 0) yield;
        if (key.length > limits.key) throw invalid(`A key is longer than ${limits.key} characters.`);
        checkText(key, null, place);
        look(child, key, place);
      }
    }
  }
  return members;
}

/** @param key of the text, where it is a value; null: it is itself a key of what is at `parent` */
function checkText(text: string, key: string | number | null, parent: Place): void {
  if (isSoundText(text)) return;
  const path = pathOf(key === null ? parent : { key, parent });
  const what = "NUL or half of a surrogate pair, which cannot be kept.";
  throw invalid(`${shown(path)} holds ${what}`, path);
}

/** A place in a sentence. */
const shown = (path: string) => (path === "" || path.length > 200 ? "The body" : path);

function pathOf(place: Place): string {
  const keys: string[] = [];
  // The outermost place is the body itself, which has no key.
  for (let at = place; at?.parent; at = at.parent) {
    const key = String(at.key);
    keys.unshift(isSoundText(key) ? key : "?");
  }
  return keys.join(".");
}
