import { jsonStart } from "../../lib/json/write.ts";
import type { Row } from "./model.ts";

/** So much of each argument and result is searched. */
const searchedOfValue = 200_000;

/** Everything that a row shows or holds folded, in small letters. */
export function searchTextOf(row: Row): string {
  const { body } = row;
  switch (body.kind) {
    case "said":
    case "text":
    case "reasoning":
    case "notice":
      return body.text.toLowerCase();
    case "call":
      return [body.call.server ?? "", body.call.name, textOf(body.call.args), textOf(body.call.result)]
        .join("\n")
        .toLowerCase();
    case "file":
      return (body.name ?? "").toLowerCase();
    case "error":
      return textOf(body.error).toLowerCase();
    case "raw":
      return textOf(body.value).toLowerCase();
    case "nothing":
      return "";
  }
}

/** What is searched of an argument, a result, an error: a text as it is, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : jsonStart(value, searchedOfValue);
}

/** How often `wanted` (in small letters, not empty) stands in a text; counted up to 999. */
export function countIn(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1 && count < 999; at = text.indexOf(wanted, at + wanted.length))
    count += 1;
  return count;
}
