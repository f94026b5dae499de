/** Faults made from healthy values: what `C-01` asks of each field of each response. */

export type Path = readonly (string | number)[];

export interface Fault {
  readonly path: Path;
  readonly kind: string;
  /** A copy of the whole body with this one fault. */
  readonly body: unknown;
}

/** A wrong value for each kind of fault. `missing` takes the field away. */
export function wrongValues(value: unknown): Readonly<Record<string, unknown>> {
  return {
    missing: undefined,
    null: null,
    "a number for a text": typeof value === "string" ? 7 : "seven",
    "an object": Array.isArray(value) || typeof value !== "object" ? { odd: { deep: [null] } } : 3,
    "a list": Array.isArray(value) ? "no list" : [{ odd: true }, null, 3],
    "an empty text": "",
    "a huge number": 1e308,
    "a hostile text": hostileText,
    "a long text": "long ".repeat(4_000),
  };
}

/** Markup, a template, bidi controls, a NUL, a lone surrogate and names of prototypes in one text. */
export const hostileText =
  '<img src=x onerror="window.__xss=1"><svg onload=window.__xss=1>{{7*7}}\u202Egpj.exe\u0000\uD800 __proto__ constructor';

/** All paths of a JSON value, containers and leaves; of a list only its first entry is entered. */
export function pathsOf(value: unknown, base: Path = []): Path[] {
  const here = base.length > 0 ? [base] : [];
  if (Array.isArray(value)) return value.length > 0 ? [...here, ...pathsOf(value[0], [...base, 0])] : here;
  if (typeof value !== "object" || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...base, name]))];
}

/** A copy with another value at the path; `undefined` takes it away. */
export function withValue(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    const inner = withValue(root[Number(key)], rest, value);
    return root.flatMap((item, at) => (at === key ? (inner === undefined ? [] : [inner]) : [item]));
  }
  const copy: Record<string, unknown> = { ...(root as object) };
  const inner = withValue(copy[String(key)], rest, value);
  if (inner === undefined) delete copy[String(key)];
  else copy[String(key)] = inner;
  return copy;
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);
}

/** Every kind of fault at every path. */
export function faultsOf(body: unknown): Fault[] {
  return pathsOf(body).flatMap((path) =>
    Object.entries(wrongValues(valueAt(body, path))).map(([kind, value]) => ({
      path,
      kind,
      body: withValue(body, path, value),
    })),
  );
}

/** One fault at each path, each kind in turn: every field is broken once, at the cost of a page for each field. */
export function eachFieldOf(body: unknown): Fault[] {
  const kinds = Object.keys(wrongValues("")).length;
  return faultsOf(body).filter((_, at) => at % kinds === Math.floor(at / kinds) % kinds);
}

/** Of every field: each kind of fault in the long run (`npm run test:long`), one kind in the short one. */
export const everyField = process.env.WHEELHOUSE_LONG === "1" ? faultsOf : eachFieldOf;

/**
 * Several fields of an object broken at once, so that any two of them meet with any two kinds of fault, and each kind with
 * a healthy field. In row `a, b` the field `j` has the fault `a·j + b` modulo a prime: two fields have the same pair in no
 * two rows.
 */
export function pairsOf(body: object): Fault[] {
  const fields = Object.entries(body);
  const kinds = Object.keys(wrongValues("")).length;
  const size = primeFrom(Math.max(fields.length, kinds + 1));
  const row = (a: number, b: number): Fault => {
    const broken = fields.flatMap(([name, value], j) => {
      const fault = Object.entries(wrongValues(value))[(a * j + b) % size];
      return fault === undefined ? [] : [{ name, kind: fault[0], value: fault[1] }];
    });
    return {
      path: [],
      kind: broken.map(({ name, kind }) => `${name} ${kind}`).join(", "),
      body: broken.reduce<unknown>((whole, { name, value }) => withValue(whole, [name], value), body),
    };
  };
  const numbers = Array.from({ length: size }, (_, at) => at);
  return numbers.flatMap((a) => numbers.map((b) => row(a, b)));
}

function primeFrom(least: number): number {
  for (let divisor = 2; divisor < least; divisor++) if (least % divisor === 0) return primeFrom(least + 1);
  return least;
}
