import { textParam } from "../../../lib/search-params.ts";

/** What of a log is shown, as it stands in an address: a copied one shows another person the same. */
export interface LogAddress {
  level?: "warning" | "error" | undefined;
  /** Names of nodes; left out for all of them. */
  nodes?: readonly string[] | undefined;
  /** What is looked for in the lines, and whether it is a regular expression. */
  q?: string | undefined;
  regex?: true | undefined;
}

const levels = ["warning", "error"] as const;

/** Reads it from an address; what is not understood is undefined, so that the raw value does not stand. */
export function readLogAddress(raw: Record<string, unknown>): LogAddress {
  const names = [raw.nodes].flat().flatMap((one) => textParam(one) ?? []);
  return {
    level: levels.find((one) => one === raw.level),
    nodes: names[0] === undefined ? undefined : names,
    q: textParam(raw.q),
    regex: raw.regex === true || undefined,
  };
}
