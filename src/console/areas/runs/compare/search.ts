/** What two runs are compared, and how; all of it stands in the address. */
export interface CompareSearch {
  a?: string | undefined;
  b?: string | undefined;
  /** Every line, not only those that differ. */
  show?: "all" | undefined;
  /** Times and ids as they are written. */
  exact?: true | undefined;
  /** Where there is no room for both. */
  tab?: "log" | undefined;
}

/** Reads the address of a comparison; what is not understood is undefined, so that the raw value does not stand. */
export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const id = (value: unknown) => {
    const isText = typeof value === "string" || typeof value === "number";
    return isText && value !== "" ? String(value) : undefined;
  };
  return {
    a: id(raw.a),
    b: id(raw.b),
    show: raw.show === "all" ? "all" : undefined,
    exact: raw.exact === true ? true : undefined,
    tab: raw.tab === "log" ? "log" : undefined,
  };
}
