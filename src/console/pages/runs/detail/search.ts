/** Parts of a run that are tabs where there is little room. */
export const runTabs = ["log", "inputs", "outputs", "files", "sub-runs"] as const;
export type RunTab = (typeof runTabs)[number];

export interface RunSearch {
  tab?: RunTab | undefined;
  /** 1-based line of the log. */
  line?: number | undefined;
}

/** Reads the address of a run page; what is not understood is undefined, so that the raw value does not stand. */
export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const tab = runTabs.find((one) => one === raw.tab);
  const line = Number(raw.line);
  return { tab, line: Number.isSafeInteger(line) && line > 0 ? line : undefined };
}
