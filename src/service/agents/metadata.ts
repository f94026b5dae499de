import {
  agentSettings,
  agentSettingsChange,
  type CallMode,
  lapseLimits,
} from "../../contract/agent-settings.ts";
import { isSectionSized, textLimits } from "../../contract/limits.ts";
import { firstProblem } from "../../contract/problems.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { invalidField } from "../service-error.ts";

/** Names that mean something to JavaScript's objects and nothing to ours. */
const reserved = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The sections of `metadata` that the service knows (§4.14), of a value from outside; unknown keys are dropped.
 * @throws ServiceError `invalid_body` naming the field
 */
export function readMetadata(value: unknown): JsonObject {
  const parsed = agentSettingsChange.safeParse(value);
  if (parsed.success) return clean(JSON.parse(JSON.stringify(parsed.data)));
  const { path, problem } = firstProblem(parsed.error.issues, value);
  throw invalidField(path === "" ? "metadata" : `metadata.${path}`, problem);
}

/** §4.14: objects merge, arrays and scalars replace; null replaces, as a scalar does. Neither argument changes. */
function mergeMetadata(current: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key);
    merged.set(key, isJsonObject(before) && isJsonObject(value) ? mergeMetadata(before, value) : value);
  }
  return clean(Object.fromEntries(merged));
}

/**
 * Metadata after a change. One that was kept before there was a limit may be changed as long as it does not grow.
 * @throws ServiceError `invalid_body` where many small changes have made it longer than the limit
 */
export function changeMetadata(current: JsonObject, change: JsonObject): JsonObject {
  const merged = mergeMetadata(current, change);
  if (!isSectionSized(merged) && JSON.stringify(merged).length > JSON.stringify(current).length) {
    const limit = textLimits.section.toLocaleString("en-US");
    throw invalidField("metadata", `would have more than ${limit} characters as JSON`);
  }
  return merged;
}

function clean(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => !reserved.has(key));
  return Object.fromEntries(kept.map(([key, field]) => [key, isJsonObject(field) ? clean(field) : field]));
}

/** How a turn of an agent runs, from `metadata.preferences` and `personalization`. */
export interface TurnSettings {
  /** Calls of the model in one turn. */
  readonly maxSteps: number;
  readonly timeoutSeconds: number;
  readonly temperature: number | null;
  /** Of one answer of the model, at most; null: the model's own limit. */
  readonly maxTokens: number | null;
  readonly instructions: string;
}

const defaultTurn = { maxSteps: 25, timeoutSeconds: 1800 } as const;

/** Reads what is stored; what is missing or null has its default. */
export function turnSettings(metadata: unknown): TurnSettings {
  const settings = agentSettings.safeParse(metadata).data;
  const preferences = settings?.preferences;
  return {
    maxSteps: preferences?.max_steps ?? defaultTurn.maxSteps,
    timeoutSeconds: preferences?.timeout_s ?? defaultTurn.timeoutSeconds,
    temperature: preferences?.temperature ?? null,
    maxTokens: preferences?.max_tokens ?? null,
    instructions: settings?.personalization?.instructions ?? "",
  };
}

/** How an agent's tools are called, and whom it asks, from `metadata.approvals`. */
export interface ApprovalSettings {
  readonly tools: Readonly<Record<string, CallMode>>;
  readonly who: "person" | "operators" | "people";
  /** Ids, for `people`. */
  readonly people: readonly string[];
  readonly lapseSeconds: number;
}

/** Reads what is stored; what is missing or null has its default. */
export function approvalSettings(metadata: unknown): ApprovalSettings {
  const approvals = agentSettings.safeParse(metadata).data?.approvals;
  const tools = Object.entries(approvals?.tools ?? {}).flatMap(([id, mode]) => (mode ? [[id, mode]] : []));
  return {
    tools: Object.fromEntries(tools),
    who: approvals?.who ?? "person",
    people: approvals?.people ?? [],
    lapseSeconds: approvals?.lapse_s ?? lapseLimits.default,
  };
}
