import { formatRange, type LineAddress, parseRange } from "../log/line-range.ts";
import { type LogAddress, readLogAddress } from "../log/log-address.ts";

/** Parts of a run that are tabs where there is little room. */
export const runTabs = ["log", "inputs", "outputs", "files", "sub-runs"] as const;
export type RunTab = (typeof runTabs)[number];

export interface RunSearch extends LogAddress {
  tab?: RunTab | undefined;
  /** Lines of the log, 1-based: `12` or `12-40`. */
  line?: LineAddress | undefined;
}

/** Reads the address of a run page; what is not understood is undefined, so that the raw value does not stand. */
export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const tab = runTabs.find((one) => one === raw.tab);
  const lines = parseRange(raw.line);
  return { tab, line: lines && formatRange(lines), ...readLogAddress(raw) };
}
