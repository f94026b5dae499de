import type { AgentTool } from "../../../../contract/agents.ts";
import type { BuiltinTool } from "../../../../contract/builtin-tools.ts";
import { builtinOf, hasAllTools, identify, withAllowed, withTool } from "../agent/tools.ts";

/** The tools of an agent while they are picked, and as they were before. */
export interface ToolSelection {
  readonly base: readonly AgentTool[];
  readonly mine: readonly AgentTool[];
}

/** How much of a thing is given. */
export type Given = "none" | "some" | "all";

/** A server as it is picked: its id, and what the `type` of its entry is. */
interface SelectedServer {
  readonly id: string;
  readonly type: string;
}

type Is = (tool: AgentTool) => boolean;

/** Gives what is not given, and takes away what is. What was there when the editing began comes back to its place. */
function toggle({ base, mine }: ToolSelection, is: Is, fresh: AgentTool): AgentTool[] {
  if (mine.some(is)) return mine.filter((tool) => !is(tool));
  const before = identify(base).find(({ item }) => is(item));
  return before ? withTool(base, mine, before.identity, before.item) : [...mine, fresh];
}

const isBuiltin =
  (type: BuiltinTool): Is =>
  (tool) =>
    builtinOf(tool) === type;
const isFlow =
  (id: string): Is =>
  (tool) =>
    tool.saved_item_id === id;
const isServer =
  (id: string): Is =>
  (tool) =>
    tool.server_id === id;

/** Whether a tool of the service itself is given. */
export const hasBuiltin = ({ mine }: ToolSelection, type: BuiltinTool): boolean => mine.some(isBuiltin(type));

/** Gives a tool of the service itself, or takes it away. */
export const toggleBuiltin = (picked: ToolSelection, type: BuiltinTool): AgentTool[] =>
  toggle(picked, isBuiltin(type), { type });

/** Whether a flow is given by itself. */
export const hasFlow = ({ mine }: ToolSelection, id: string): boolean => mine.some(isFlow(id));

/** Gives a flow, or takes it away. */
export const toggleFlow = (picked: ToolSelection, id: string): AgentTool[] =>
  toggle(picked, isFlow(id), { type: "flow", saved_item_id: id });

/** How much of a server is given. */
export function givenOf({ mine }: ToolSelection, id: string): Given {
  const entries = mine.filter(isServer(id));
  if (entries.length === 0) return "none";
  return entries.some(hasAllTools) ? "all" : "some";
}

/** The ids of the tools of a server that are given one by one. */
export const chosenOf = ({ mine }: ToolSelection, id: string): readonly string[] =>
  mine.filter(isServer(id)).flatMap((tool) => tool.allowed_tool_call_ids ?? []);

/** Whether one tool of a server is given. */
export const hasServerTool = (picked: ToolSelection, id: string, toolId: string): boolean =>
  givenOf(picked, id) === "all" || chosenOf(picked, id).includes(toolId);

/** Gives a server with all its tools, or takes all of it away. */
export function toggleServer(picked: ToolSelection, { id, type }: SelectedServer): AgentTool[] {
  if (givenOf(picked, id) === "some")
    return change(picked, id, (tool, was) => (hasAllTools(tool) ? tool : withAllowed(tool, was, null)));
  const given = toggle(picked, isServer(id), { type, server_id: id });
  // What was given before may have been a part.
  const isPart = givenOf({ ...picked, mine: given }, id) === "some";
  return isPart ? toggleServer({ ...picked, mine: given }, { id, type }) : given;
}

/**
 * Gives one tool of a server, or takes it away: with the last one the server goes.
 * @param listed all that the server has, of which the rest stays where it had all
 */
export function toggleServerTool(
  picked: ToolSelection,
  { id, type }: SelectedServer,
  toolId: string,
  listed: readonly string[],
): AgentTool[] {
  if (givenOf(picked, id) === "none") {
    const given = toggle(picked, isServer(id), { type, server_id: id });
    return change({ ...picked, mine: given }, id, (tool, was) => withAllowed(tool, was, [toolId]));
  }
  const now = givenOf(picked, id) === "all" ? listed : chosenOf(picked, id);
  const left = now.includes(toolId) ? now.filter((one) => one !== toolId) : [...now, toolId];
  if (left.length === 0) return picked.mine.filter((tool) => !isServer(id)(tool));
  const first = picked.mine.find(isServer(id));
  return change(picked, id, (tool, was) => (tool === first ? withAllowed(tool, was, left) : tool)).filter(
    (tool, at, all) => !isServer(id)(tool) || all.findIndex(isServer(id)) === at,
  );
}

/** Changes the entries of a server; `was`: as each stood before. */
function change(
  { base, mine }: ToolSelection,
  id: string,
  to: (tool: AgentTool, was: AgentTool | undefined) => AgentTool,
): AgentTool[] {
  const before = new Map(identify(base).map(({ identity, item }) => [identity, item]));
  return identify(mine).map(({ identity, item }) =>
    isServer(id)(item) ? to(item, before.get(identity)) : item,
  );
}
