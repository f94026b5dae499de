import { type CallMode, callModes } from "../../../contract/agent-settings.ts";
import type { JsonObject } from "../../json.ts";

/** What calls of some tools cannot go below. */
export interface Floor {
  /** A tool's id, in which `*` stands for any characters. */
  readonly tools: string;
  readonly atLeast: Exclude<CallMode, "run">;
  /** Null: everybody's. */
  readonly teamId: string | null;
}

/** What the workspace's file says of approvals. */
export interface ApprovalRules {
  readonly floors: readonly Floor[];
  /** Who answers for a team, where it names some of its members. */
  readonly operators: ReadonlyMap<string, readonly string[]>;
}

type Written = Readonly<Record<string, Floor["atLeast"]>>;

/** @param written what `approvals` of `wheelhouse.yaml` says, as its schema has checked it */
export function readApprovalRules(written: {
  readonly tools: Written;
  readonly teams: Readonly<
    Record<string, { readonly tools: Written; readonly operators?: readonly string[] | undefined }>
  >;
}): ApprovalRules {
  const floorsOf = (tools: Written, teamId: string | null) =>
    Object.entries(tools).map(([pattern, atLeast]): Floor => ({ tools: pattern, atLeast, teamId }));
  const teams = Object.entries(written.teams);
  return {
    floors: [...floorsOf(written.tools, null), ...teams.flatMap(([id, team]) => floorsOf(team.tools, id))],
    operators: new Map(teams.flatMap(([id, { operators }]) => (operators ? [[id, operators]] : []))),
  };
}

/** The floors of everybody and of these teams. */
export function floorsOf({ floors }: ApprovalRules, teamIds: readonly (string | null)[]): readonly Floor[] {
  return floors.filter(({ teamId }) => teamId === null || teamIds.includes(teamId));
}

/** What an agent says of the calls of its tools. */
export interface AgentModes {
  /** `metadata.approvals.tools`, by the tool's id. */
  readonly tools: Readonly<Record<string, CallMode>>;
  /** The entries of its list of tools. */
  readonly entries: readonly JsonObject[];
}

/**
 * How a tool is called: as the strictest of the floors and the agent's own word say. An `approval_mode` that this service
 * does not know asks: whoever wrote it wanted more than `off`.
 * @param serverId null for a tool of the service itself
 */
export function callMode(
  { id, serverId }: { readonly id: string; readonly serverId: string | null },
  agent: AgentModes,
  floors: readonly Floor[],
): CallMode {
  const own = Object.hasOwn(agent.tools, id) ? agent.tools[id] : undefined;
  const wanted = floors.filter(({ tools }) => fits(tools, id)).map(({ atLeast }) => atLeast);
  return strictest([own ?? modeOfServer(serverId, agent.entries), ...wanted]);
}

function modeOfServer(serverId: string | null, entries: readonly JsonObject[]): CallMode {
  const modes = entries
    .filter((entry) => serverId !== null && entry.server_id === serverId)
    .map(({ approval_mode }) => approval_mode ?? "off");
  return modes.some((mode) => mode !== "off") ? "ask" : "run";
}

const strictest = (modes: readonly CallMode[]): CallMode =>
  callModes[Math.max(...modes.map((mode) => callModes.indexOf(mode)))] ?? "never";

function fits(pattern: string, id: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(id);
}
