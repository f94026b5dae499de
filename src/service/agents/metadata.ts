import { agentSettings } from "../../contract/agents.ts";
import { ServiceError } from "../service-error.ts";
import type { JsonValue } from "../store/json.ts";

export type JsonRecord = { readonly [key: string]: JsonValue };

/** Names that mean something to JavaScript's objects and nothing to ours. */
const reserved = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The sections of `metadata` that the service knows (§4.14), of a value from outside; unknown keys are dropped.
 * @throws ServiceError `invalid_body` naming the field
 */
export function readMetadata(value: unknown): JsonRecord {
  const parsed = agentSettings.safeParse(value);
  if (parsed.success) return clean(JSON.parse(JSON.stringify(parsed.data)));
  const [issue] = parsed.error.issues;
  const param = ["metadata", ...(issue?.path ?? [])].join(".");
  throw new ServiceError("invalid_body", { message: `${param} is not valid: ${issue?.message}`, param });
}

/** §4.14: objects merge, arrays and scalars replace; null replaces, as a scalar does. Neither argument changes. */
export function mergeMetadata(current: JsonRecord, change: JsonRecord): JsonRecord {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key);
    merged.set(key, isRecord(before) && isRecord(value) ? mergeMetadata(before, value) : value);
  }
  return clean(Object.fromEntries(merged));
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function clean(value: JsonRecord): JsonRecord {
  const kept = Object.entries(value).filter(([key]) => !reserved.has(key));
  return Object.fromEntries(kept.map(([key, field]) => [key, isRecord(field) ? clean(field) : field]));
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
