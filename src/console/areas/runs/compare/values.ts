/** One input or output of two runs. `undefined`: that run has none of this name. */
export interface ValueRow {
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
  readonly isSame: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** The values of two runs by name, in the order of A, then what only B has. Those that differ come first. */
export function pairValues(a: Values, b: Values): readonly ValueRow[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const rows = names.map((name) => {
    const inA = Object.hasOwn(a, name) ? a[name] : undefined;
    const inB = Object.hasOwn(b, name) ? b[name] : undefined;
    return { name, a: inA, b: inB, isSame: isSameJson(inA, inB) };
  });
  return [...rows.filter((row) => !row.isSame), ...rows.filter((row) => row.isSame)];
}

/** Whether two JSON values say the same; the order of keys does not count. Without recursion: values may be deep. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([(a as Values)[key], (b as Values)[key]]);
    }
  }
  return true;
}
