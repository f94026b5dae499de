import { builtinTools } from "../../../../contract/builtin-tools.ts";
import { canonical, isObject, own } from "../../../lib/json/json-value.ts";

/** What a tool of an agent is: an MCP server, a flow, or something that the interface does not name. */
export type ToolKind = "server" | "flow" | "other";

/** What tells one tool from another, for people. `id` is the server's, the flow's, or a foreign kind's own. */
export interface ToolName {
  readonly kind: ToolKind;
  readonly id: string | null;
  /** As the service sent it; null where it sent none. */
  readonly type: string | null;
}

/** An item of a list with the text by which it is the same item in another version. */
export interface Identified<T> {
  readonly identity: string;
  readonly item: T;
}

/** Kind, id and type of a tool. Never throws, whatever the service sent. */
export function nameOfTool(tool: unknown): ToolName {
  const type = textAt(tool, "type");
  const serverId = textAt(tool, "server_id");
  if (serverId !== null) return { kind: "server", id: serverId, type };
  const flowId = textAt(tool, "saved_item_id");
  if (flowId !== null) return { kind: "flow", id: flowId, type };
  return { kind: "other", id: textAt(tool, "id"), type };
}

/**
 * What makes a tool the same tool in two versions: its server, its flow, its name where it is built in, for a foreign kind
 * type and id, else all that it says (then a changed one is another one). Also fits resources, which have an `id` at most.
 */
export function toolIdentity(tool: unknown): string {
  const { kind, id, type } = nameOfTool(tool);
  if (id === null)
    return builtinTools.some((one) => one === type) ? `built in ${type}` : `raw ${canonical(tool)}`;
  return kind === "other" ? `other ${JSON.stringify([type, id])}` : `${kind} ${id}`;
}

/** Each item with its identity; the second of the same identity in one list gets ` #2`, so that none is lost. */
export function identify<T>(items: readonly T[]): Identified<T>[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const identity = toolIdentity(item);
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    return { identity: count === 1 ? identity : `${identity} #${count}`, item };
  });
}

function textAt(value: unknown, key: string): string | null {
  const found = isObject(value) ? own(value, key) : null;
  return typeof found === "string" && found !== "" ? found : null;
}
