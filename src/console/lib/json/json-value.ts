/** A JSON object whose shape is not known further. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether this is an object with keys: no list, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values say the same. The order of an object's keys does not count, that of a list does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = presentKeys(a);
  return (
    keys.length === presentKeys(b).length &&
    keys.every((key) => own(b, key) !== undefined && sameJson(a[key], own(b, key)))
  );
}

/** The value of an object's own key; undefined where it has none (`constructor` is nobody's value). */
export function own(holder: JsonObject, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** A JSON value as text that is the same for all values that say the same. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = presentKeys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** JSON has no `undefined`: such a key is not there. */
export function presentKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
