import * as z from "zod/mini";
import type { Provenance, StartState } from "./known-run.ts";
import { storedTime } from "./registry.ts";

/** A conversation as this browser knows it. Times named `…At` are milliseconds since 1970 by this browser's clock. */
export interface KnownConversation {
  /** Of the record; also the `Idempotency-Key` of its start. */
  readonly id: string;
  readonly interactionId: string | null;
  readonly start: StartState;
  readonly provenance: Provenance;
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** The beginning of its first message, or the name that the service gave it. */
  readonly name: string | null;
  /** The team it belongs to; null: only to the person, or not known. */
  readonly projectId: string | null;
  readonly knownAt: number;
  /** The newest message that was sent from here: all that is known of a turn until its end, with the core alone. */
  readonly asked: { readonly text: string; readonly at: number } | null;
  /** What the last read said; null before the first. */
  readonly last: {
    readonly state: string | null;
    /** ISO 8601. */
    readonly createdTs: string | null;
    readonly seenAt: number;
  } | null;
  /** Why it was not started, in the service's words. */
  readonly error: string | null;
  /** The person began (true) or ended (false) watching it by hand; left out where they did neither. */
  readonly watched?: boolean | undefined;
}

const nullableText = z.nullable(z.string());

const schema = z.object({
  id: z.string(),
  interactionId: nullableText,
  start: z.enum(["sending", "started", "refused", "unclear"]),
  provenance: z.enum(["started-here", "opened", "added", "imported", "seen-in-artifacts"]),
  agentId: nullableText,
  agentName: nullableText,
  name: nullableText,
  projectId: nullableText,
  knownAt: storedTime,
  asked: z.nullable(z.object({ text: z.string(), at: storedTime })),
  last: z.nullable(z.object({ state: nullableText, createdTs: nullableText, seenAt: storedTime })),
  error: nullableText,
  watched: z.optional(z.boolean()),
});

/** A stored record; null for one that is corrupted or of another time. */
export function parseKnownConversation(value: unknown): KnownConversation | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
