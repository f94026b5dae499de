import * as z from "zod/mini";
import { storedTime } from "./registry.ts";

/** How this browser came to know a run. */
export type Provenance = "started-here" | "opened" | "added" | "imported" | "seen-in-artifacts";

/**
 * What became of the start call. `sending`: written before it and not answered yet (or the page was closed in the
 * middle); `started`; `refused`: surely not started; `unclear`: nothing came back, it may have started.
 */
export type StartState = "sending" | "started" | "refused" | "unclear";

/** A run as this browser knows it. Times named `…At` are milliseconds since 1970 by this browser's clock. */
export interface KnownRun {
  /** Of the record; also the `Idempotency-Key` of its start. */
  readonly id: string;
  readonly runId: string | null;
  readonly start: StartState;
  readonly provenance: Provenance;
  readonly savedItemId: string | null;
  readonly savedItemName: string | null;
  readonly projectId: string | null;
  /** As sent; null where the run was not started here. */
  readonly inputs: Readonly<Record<string, unknown>> | null;
  readonly knownAt: number;
  /** What the last read said; null before the first. Times are the service's text. */
  readonly last: {
    readonly state: string | null;
    readonly createdTs: string | null;
    readonly finishedTs: string | null;
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
  runId: nullableText,
  start: z.enum(["sending", "started", "refused", "unclear"]),
  provenance: z.enum(["started-here", "opened", "added", "imported", "seen-in-artifacts"]),
  savedItemId: nullableText,
  savedItemName: nullableText,
  projectId: nullableText,
  inputs: z.nullable(z.record(z.string(), z.unknown())),
  knownAt: storedTime,
  last: z.nullable(
    z.object({ state: nullableText, createdTs: nullableText, finishedTs: nullableText, seenAt: storedTime }),
  ),
  error: nullableText,
  watched: z.optional(z.boolean()),
});

/** A stored record; null for one that is corrupted or of another time. */
export function parseKnownRun(value: unknown): KnownRun | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
