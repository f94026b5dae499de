/** How deep values may nest. What is deeper cannot be handed between threads, written as JSON or drawn. */
export const deepest = 500;

/** Stands where values nest deeper than `deepest` levels. */
export const tooDeep = `(nested deeper than ${deepest} levels, left out here)`;

/**
 * Makes parsed JSON safe to work with, in place, and returns it (C-01, C-03, C-09): keys named `__proto__` are taken
 * out, because later copies would make them prototypes; halves of surrogate pairs become U+FFFD, because no address can
 * be made of them; what nests deeper than `deepest` levels becomes the words `tooDeep`.
 * @param text what it was parsed from, to look only for what can be in it
 */
export function sanitizeJson(root: unknown, text: string): unknown {
  const mayBeDeep = text.length > 2 * deepest;
  const mayBeOdd = suspicious.test(text);
  if (!mayBeDeep && !mayBeOdd) return root;
  const open: object[] = [];
  const depths: number[] = [];
  const enter = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return mayBeOdd ? value.replace(loneSurrogate, "\uFFFD") : value;
    if (typeof value !== "object" || value === null) return value;
    if (depth > deepest) return tooDeep;
    open.push(value);
    depths.push(depth);
    return value;
  };
  const sanitized = enter(root, 1);
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const depth = (depths.pop() ?? 0) + 1;
    if (mayBeOdd && Object.hasOwn(holder, "__proto__")) Reflect.deleteProperty(holder, "__proto__");
    const values = holder as Record<string, unknown>;
    for (const key of Object.keys(values)) {
      const value = values[key];
      const kept = enter(value, depth);
      if (kept !== value) values[key] = kept;
    }
  }
  return sanitized;
}

// Keys may be written with escapes, so any escaped letter of `__proto__` is suspicious, and so is half a pair.
const suspicious = /__proto__|\\u(?:00(?:5f|7[0-4]|6f)|d[89a-f])/i;
const loneSurrogate = /\p{Surrogate}/gu;
