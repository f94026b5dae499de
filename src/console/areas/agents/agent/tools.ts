import type { AgentTool } from "../../../../contract/agents.ts";
import { type BuiltinTool, builtinTools } from "../../../../contract/builtin-tools.ts";
import { canonical, isObject, type JsonObject, own, sameJson } from "../../../lib/json/json-value.ts";
import { arrange, type Identified } from "../../../lib/merge/merge-list.ts";
import { counted } from "../../../lib/words.ts";

/** What a tool of an agent is: an MCP server, a flow, or something that the interface does not name. */
type ToolKind = "server" | "flow" | "other";

/** What tells one tool from another, for people. `id` is the server's, the flow's, or a foreign kind's own. */
interface ToolName {
  readonly kind: ToolKind;
  readonly id: string | null;
  /** As the service sent it; null where it sent none. */
  readonly type: string | null;
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
function toolIdentity(tool: unknown): string {
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

/** A tool in the list of the settings. */
export interface ToolLine {
  readonly identity: string;
  /** As it is in the draft, else as it was before it was taken out. */
  readonly tool: AgentTool;
  /** As it was when the editing began. */
  readonly was: AgentTool | undefined;
  readonly mark: "added" | "edited" | "removed" | null;
}

/** The tools of a draft in their order, with those that were taken out where they stood. */
export function toolLines(base: readonly AgentTool[], mine: readonly AgentTool[]): readonly ToolLine[] {
  const before = new Map(identify(base).map(({ identity, item }) => [identity, item]));
  const now = new Map(identify(mine).map(({ identity, item }) => [identity, item]));
  return arrange([...now.keys()], [...before.keys()]).flatMap((identity): ToolLine[] => {
    const [was, is] = [before.get(identity), now.get(identity)];
    const tool = is ?? was;
    if (tool === undefined) return [];
    const mark = !is ? "removed" : !was ? "added" : sameJson(was, is) ? null : "edited";
    return [{ identity, tool, was, mark }];
  });
}

/** The list of tools with one of them changed, taken out (null) or put back where it stood. */
export function withTool(
  base: readonly AgentTool[],
  mine: readonly AgentTool[],
  identity: string,
  tool: AgentTool | null,
): AgentTool[] {
  return toolLines(base, mine).flatMap((line) => {
    if (line.identity === identity) return tool === null ? [] : [tool];
    return line.mark === "removed" ? [] : [line.tool];
  });
}

/** Whether all of a server's tools may be called, also ones that it gets later. */
export const hasAllTools = (tool: AgentTool): boolean => !Array.isArray(tool.allowed_tool_call_ids);

/** Which tools of a server may be called; null: all. What says the same as before is written as it was. */
export const withAllowed = (tool: AgentTool, was: AgentTool | undefined, ids: Ids): AgentTool =>
  withIds(tool, was, "allowed_tool_call_ids", ids);

type Ids = readonly string[] | null;

function withIds(
  tool: AgentTool,
  was: AgentTool | undefined,
  key: "allowed_tool_call_ids" | "source_ids",
  ids: Ids,
): AgentTool {
  if (ids === null) return without(tool, was, key, null);
  const before = was?.[key];
  const said = Array.isArray(before) ? before.filter((id) => typeof id === "string") : null;
  const isSame = said?.length === ids.length && said.every((id) => ids.includes(id));
  return { ...tool, [key]: isSame ? before : [...ids] };
}

/** Whether a person is asked before a call; `off` and absent say the same, and it is written as it was. */
export function withApproval(tool: AgentTool, was: AgentTool | undefined, mode: string): AgentTool {
  if (mode !== "off") return { ...tool, approval_mode: mode };
  return without(tool, was, "approval_mode", "off");
}

/** The knowledge sources that `search_knowledge` is limited to; null: all. What is no list of ids limits nothing. */
export function searchedSources({ source_ids: ids }: AgentTool): readonly string[] | null {
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : null;
}

/** Which knowledge sources are searched; null: all. What says the same as before is written as it was. */
export const withSources = (tool: AgentTool, was: AgentTool | undefined, ids: Ids): AgentTool =>
  withIds(tool, was, "source_ids", ids);

function without(
  tool: AgentTool,
  was: AgentTool | undefined,
  key: "allowed_tool_call_ids" | "approval_mode" | "source_ids",
  neutral: null | "off",
): AgentTool {
  const { [key]: _, ...rest } = tool;
  const before = was?.[key];
  return was !== undefined && Object.hasOwn(was, key) && (before === null || before === neutral)
    ? { ...tool, [key]: before }
    : rest;
}

/** A tool id without its server: `almanac__day_of_week` of `almanac` is `day_of_week`. */
export function toolWord(serverId: string, id: string): string {
  return id.startsWith(`${serverId}__`) ? id.slice(serverId.length + 2) : id;
}

/** What each tool of the service itself does for the agent. */
export const builtinWords: Readonly<Record<BuiltinTool, string>> = {
  write_file: "Writes a text file people can open",
  read_file: "Reads a file from the conversation",
  run_flow: "Runs any flow the user can run, and waits for its outputs",
  http_get: "Reads a public web address",
  search_knowledge: "Searches the knowledge sources the user can read",
};

/** The built-in tool that an entry gives; null for a server, a flow, and a kind that our service does not have. */
export function builtinOf(tool: AgentTool): BuiltinTool | null {
  if (nameOfTool(tool).kind !== "other") return null;
  return builtinTools.find((one) => one === tool.type) ?? null;
}

/** How a call is made: `off` and absent say the same, and need no word but `atOnce`; a mode that we do not know as it came. */
export function approvalLabel(mode: unknown, atOnce = ""): string {
  if (mode === "all") return "asks first";
  return typeof mode === "string" && mode !== "off" ? mode : atOnce;
}

/** "3 tools, asks first". `all`: what is said where no tools are chosen. */
export function scopeLabel(tool: JsonObject, all = "", atOnce = ""): string {
  const { allowed_tool_call_ids: allowed, approval_mode: mode } = tool;
  const scope = Array.isArray(allowed) ? counted(allowed.length, "tool") : all;
  return [scope, approvalLabel(mode, atOnce)].filter(Boolean).join(", ");
}
