import { textParam } from "../../../lib/search-params.ts";

/** Lines of a log, 1-based, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How lines stand in an address: `12`, or `12-40`. */
export type LineAddress = number | string;

/** Reads lines from an address; undefined where they cannot be read. Ends in either order. */
export function parseRange(raw: unknown): LineRange | undefined {
  const match = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/.exec(textParam(raw) ?? "");
  if (!match) return undefined;
  const one = Number(match[1]);
  const other = Number(match[2] ?? one);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function formatRange({ from, to }: LineRange): LineAddress {
  return from === to ? from : `${from}-${to}`;
}
