import * as z from "zod/mini";

/** Milliseconds from 1970 to the last moment that `Date` knows. */
const last = 8.64e15;

/** A stored time in ms since 1970. One that is no moment, such as 1e300, reads as 1970: its record is kept, at the end. */
export const storedTime = z.pipe(
  z.number(),
  z.transform((ms: number) => (Math.abs(ms) <= last ? ms : 0)),
);

/** How this browser came to know a run. */
export type Provenance = "started-here" | "opened" | "added" | "imported" | "seen-in-artifacts";

/**
 * What became of the start call. `sending`: written before it and not answered yet (or the page was closed in the
 * middle); `started`; `refused`: surely not started; `unclear`: nothing came back, it may have started.
 */
export type StartState = "sending" | "started" | "refused" | "unclear";

/** What every record has. Times named `…At` are milliseconds since 1970 by this browser's clock. */
export interface Known {
  /** Of the record; also the `Idempotency-Key` of its start. */
  readonly id: string;
  readonly start: StartState;
  readonly provenance: Provenance;
  /** The team it belongs to; null: only to the person, or not known. */
  readonly projectId: string | null;
  readonly knownAt: number;
  /** What the last read said; null before the first. */
  readonly last: { readonly seenAt: number } | null;
  /** Why it was not started, in the service's words. */
  readonly error: string | null;
  /** The person began (true) or ended (false) watching it by hand; left out where they did neither. */
  readonly watched?: boolean | undefined;
}

/** A run as this browser knows it. */
export interface KnownRun extends Known {
  readonly runId: string | null;
  readonly savedItemId: string | null;
  readonly savedItemName: string | null;
  /** As sent; null where the run was not started here. */
  readonly inputs: Readonly<Record<string, unknown>> | null;
  /** What the last read said; null before the first. Times are the service's text. */
  readonly last: {
    readonly state: string | null;
    readonly createdTs: string | null;
    readonly finishedTs: string | null;
    readonly seenAt: number;
  } | null;
}

/** A text of a stored record that may be missing. */
export const nullableText = z.nullable(z.string());

/** What is read of every stored record. */
export const knownFields = {
  id: z.string(),
  start: z.enum(["sending", "started", "refused", "unclear"]),
  provenance: z.enum(["started-here", "opened", "added", "imported", "seen-in-artifacts"]),
  projectId: nullableText,
  knownAt: storedTime,
  error: nullableText,
  watched: z.optional(z.boolean()),
};

const schema = z.object({
  ...knownFields,
  runId: nullableText,
  savedItemId: nullableText,
  savedItemName: nullableText,
  inputs: z.nullable(z.record(z.string(), z.unknown())),
  last: z.nullable(
    z.object({ state: nullableText, createdTs: nullableText, finishedTs: nullableText, seenAt: storedTime }),
  ),
});

/** A stored record; null for one that is corrupted or of another time. */
export function parseKnownRun(value: unknown): KnownRun | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
