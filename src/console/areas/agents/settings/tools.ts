import type { AgentTool } from "../../../../contract/agents.ts";
import { sameJson } from "../../../lib/json/json-value.ts";
import { arrange } from "../agent/merge-list.ts";
import { identify } from "../agent/tool-identity.ts";

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
export function withAllowed(
  tool: AgentTool,
  was: AgentTool | undefined,
  ids: readonly string[] | null,
): AgentTool {
  if (ids !== null) {
    const before = was?.allowed_tool_call_ids;
    const isSame =
      Array.isArray(before) && before.length === ids.length && before.every((id) => ids.includes(id));
    return { ...tool, allowed_tool_call_ids: isSame ? before : [...ids] };
  }
  return without(tool, was, "allowed_tool_call_ids", null);
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
export function withSources(
  tool: AgentTool,
  was: AgentTool | undefined,
  ids: readonly string[] | null,
): AgentTool {
  if (ids === null) return without(tool, was, "source_ids", null);
  const before = was && searchedSources(was);
  const isSame = before?.length === ids.length && before.every((id) => ids.includes(id));
  return { ...tool, source_ids: isSame ? was?.source_ids : [...ids] };
}

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
