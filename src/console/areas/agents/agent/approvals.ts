import { type CallMode, callModes, lapseLimits } from "../../../../contract/agent-settings.ts";
import type { AgentTool } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import type { getAgentApprovals } from "../../../../contract/inbox.ts";
import type { DataOf } from "../../../api/client.ts";
import { isObject, type JsonObject, own } from "../../../lib/json/json-value.ts";
import { nameOfTool } from "./tools.ts";

/** What an agent cannot go below, as it may really come. */
export type FloorsIn = readonly (
  | NonNullable<Received<DataOf<typeof getAgentApprovals>>["floors"]>[number]
  | null
)[];

/** `metadata.approvals` as a form shows it. */
export interface Approvals {
  /** By `tool_call_id`; what is not there goes by its server. */
  readonly tools: Readonly<Record<string, CallMode>>;
  readonly who: "person" | "operators" | "people";
  readonly people: readonly string[];
  /** Seconds until a question lapses; null: the service's own limit. */
  readonly lapseS: number | null;
}

const rules = ["person", "operators", "people"] as const;

const isMode = (value: unknown): value is CallMode => callModes.some((mode) => mode === value);

/** Reads the section; null where it holds something that no form could keep. */
export function readApprovals(value: unknown): Approvals | null {
  if (value == null) return { tools: {}, who: "person", people: [], lapseS: null };
  if (!isObject(value)) return null;
  const { tools, who, people, lapse_s: lapseS } = value;
  const modes = Object.entries(isObject(tools) ? tools : {}).filter(([, mode]) => mode != null);
  const ids = Array.isArray(people) ? people : [];
  const fits =
    (tools == null || isObject(tools)) &&
    modes.every(([, mode]) => isMode(mode)) &&
    (who == null || rules.some((rule) => rule === who)) &&
    (people == null || Array.isArray(people)) &&
    ids.every((id) => typeof id === "string") &&
    (lapseS == null || typeof lapseS === "number");
  if (!fits) return null;
  return {
    tools: Object.fromEntries(modes) as Record<string, CallMode>,
    who: rules.find((rule) => rule === who) ?? "person",
    people: ids,
    lapseS: typeof lapseS === "number" ? lapseS : null,
  };
}

/** The section with one of its keys changed; undefined takes it out. What is not known in it stays. */
export function withApprovalKey(value: unknown, key: string, next: unknown): JsonObject {
  const { [key]: _, ...rest } = isObject(value) ? value : {};
  const isEmpty = isObject(next) && Object.keys(next).length === 0;
  return next === undefined || isEmpty ? rest : { ...rest, [key]: next };
}

/** The section with the mode of one tool; what its server says anyway is not written down. */
export function withMode(value: unknown, id: string, mode: CallMode, byServer: CallMode): JsonObject {
  const tools = isObject(value) ? own(value, "tools") : null;
  const { [id]: _, ...rest } = isObject(tools) ? tools : {};
  return withApprovalKey(value, "tools", mode === byServer ? rest : { ...rest, [id]: mode });
}

/** How the calls of an entry in the list of tools are made where nothing is said of one of them. */
export const modeByServer = (tool: AgentTool): CallMode =>
  nameOfTool(tool).kind === "server" && (tool.approval_mode ?? "off") !== "off" ? "ask" : "run";

/** The least that calls of a tool ask for, and whose rule that is. */
export interface Floor {
  readonly mode: CallMode;
  /** Null: everybody's. */
  readonly teamId: string | null;
}

/** The strictest floor that fits a tool; null where there is none. */
export function floorOf(id: string, floors: FloorsIn): Floor | null {
  const fitting = floors.flatMap((floor): Floor[] => {
    if (!floor?.tools || !fits(floor.tools, id)) return [];
    // What we do not know is stricter than what we do: to offer less is no mistake.
    const mode = isMode(floor.at_least) ? floor.at_least : "never";
    return [{ mode, teamId: floor.team_id ?? null }];
  });
  return fitting.reduce<Floor | null>(
    (strictest, one) => (strictest === null || isStricter(one.mode, strictest.mode) ? one : strictest),
    null,
  );
}

/** Whether calls are made less freely with `a` than with `b`. */
export const isStricter = (a: CallMode, b: CallMode): boolean => callModes.indexOf(a) > callModes.indexOf(b);

/** `*` stands for any characters. */
function fits(pattern: string, id: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast ? id.length - part.length : id.indexOf(part, at);
    if (found < at || !id.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return at === id.length;
}

/** The units in which a time limit is typed, in seconds. */
export const lapseUnits = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type LapseUnit = keyof typeof lapseUnits;

/** The greatest unit in which a time limit is a whole number. */
export const unitOf = (seconds: number): LapseUnit =>
  seconds % lapseUnits.days === 0 ? "days" : seconds % lapseUnits.hours === 0 ? "hours" : "minutes";

/**
 * A time limit that is typed. Nothing typed is undefined: the service's own.
 * @returns false where it is none, or lies outside the limits
 */
export function readLapse(text: string, unit: LapseUnit) {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return { ok: true, value: undefined } as const;
  const value = Math.round(Number(trimmed) * lapseUnits[unit]);
  const isWithin = value >= lapseLimits.minimum && value <= lapseLimits.maximum;
  return isWithin ? ({ ok: true, value } as const) : ({ ok: false } as const);
}
