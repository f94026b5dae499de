export interface StartSearch {
  /** The flow to start. */
  flow?: string | undefined;
  /** Fill in what this run was given. */
  from?: string | undefined;
  /** How the body is written; the form where nothing is said. */
  as?: "json" | undefined;
}

/** Reads the address of the start page; what is not understood is undefined, so that the raw value does not stand. */
export function readStartSearch(raw: Record<string, unknown>): StartSearch {
  const text = (value: unknown) =>
    (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
  return { flow: text(raw.flow), from: text(raw.from), as: raw.as === "json" ? "json" : undefined };
}
