import * as z from "zod/mini";
import { type Known, knownFields, nullableText, storedTime } from "./known-run.ts";

/** A conversation as this browser knows it. */
export interface KnownConversation extends Known {
  readonly interactionId: string | null;
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** The beginning of its first message, or the name that the service gave it. */
  readonly name: string | null;
  /** The newest message that was sent from here: all that is known of a turn until its end, with the core alone. */
  readonly asked: { readonly text: string; readonly at: number } | null;
  /** What the last read said; null before the first. */
  readonly last: {
    readonly state: string | null;
    /** ISO 8601. */
    readonly createdTs: string | null;
    readonly seenAt: number;
  } | null;
}

const schema = z.object({
  ...knownFields,
  interactionId: nullableText,
  agentId: nullableText,
  agentName: nullableText,
  name: nullableText,
  asked: z.nullable(z.object({ text: z.string(), at: storedTime })),
  last: z.nullable(z.object({ state: nullableText, createdTs: nullableText, seenAt: storedTime })),
});

/** A stored record; null for one that is corrupted or of another time. */
export function parseKnownConversation(value: unknown): KnownConversation | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
