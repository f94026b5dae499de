export interface StartSearch {
  /** The flow to start. */
  flow?: string | undefined;
  /** Fill in what this run was given. */
  from?: string | undefined;
  /** How the body is written; the form where nothing is said. */
  as?: "json" | undefined;
}

/** Reads the address of the start page; what is not understood is left out. */
export function readStartSearch(raw: Record<string, unknown>): StartSearch {
  const text = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? String(value) : "";
  return {
    ...(text(raw.flow) !== "" && { flow: text(raw.flow) }),
    ...(text(raw.from) !== "" && { from: text(raw.from) }),
    ...(raw.as === "json" && { as: "json" }),
  };
}
