import { type JsonObject, type JsonValue, ownField } from "../json.ts";
import type { NodeDefinition } from "./definition.ts";

/** What the flow says of the node itself, and what is long and always the same. */
const leftOut = new Set([
  "type",
  "description",
  "after",
  "when",
  "join",
  "retries",
  "timeout_s",
  "source",
  "concurrency",
]);

/**
 * What of a node's filled-in fields may be shown to whoever may see its run. Flows keep credentials in headers and in the
 * query of an address, if anywhere: neither is shown.
 */
export function shownFields(config: Pick<NodeDefinition, "type">, fields: JsonObject): JsonObject {
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    if (leftOut.has(name) || (config.type === "http" && name === "headers")) return [];
    if (config.type === "http" && name === "url" && typeof value === "string")
      return [[name, shownUrl(value)]];
    return [[name, value]];
  });
  return Object.fromEntries(shown);
}

function shownUrl(url: string): string {
  const [address = "", ...query] = url.replace(/\/\/[^/?#@]*@/, "//").split("?");
  return query.length === 0 ? address : `${address}?…`;
}

/** The items of an `each`; null where they are no list. */
export function itemsOf(fields: JsonObject): readonly JsonValue[] | null {
  const items = ownField(fields, "items");
  return Array.isArray(items) ? items : null;
}
