import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { count, flag, text, timestamp } from "./wire.ts";

/** What may have a time of its own. */
export const retentionKind = openEnum(["runs", "failed_runs", "conversations", "run_files", "search_index"]);

const retentionRule = z.object({
  kind: retentionKind,
  /** The team for which it is an exception; null: all others. */
  project_id: z.nullable(z.string()),
  /** Null: for ever. */
  days: z.nullable(count),
});

const retentionPreview = z.object({
  kind: retentionKind,
  /** Null: of people outside teams. */
  project_id: z.nullable(z.string()),
  /** Runs without their sub-runs, conversations, files, or entries of the search. */
  count,
  /** About: rows, logs, messages and files, without indexes. */
  bytes: count,
  /** When the oldest ended, or had its last message. */
  oldest_ts: timestamp,
});

/**
 * Own: how long this service keeps what, and what of that which the caller may see would go if it were deleted now. Without
 * rules nothing is ever deleted. What is kept by a mark, shared, not over or part of something that stays is not counted.
 * `preview=false` asks for the rules alone, which cost nothing; `preview` is empty then.
 */
export const getRetention = endpoint({
  name: "getRetention",
  tier: "own",
  capability: "retention",
  section: "Retention",
  summary: "What is deleted after which time, and what would go now",
  method: "GET",
  path: "/retention",
  kind: "read",
  query: z.object({ preview: z.optional(flag) }),
  response: z.object({ rules: z.array(retentionRule), preview: z.array(retentionPreview) }),
});

const kept = z.object({ kept: z.boolean() });

/**
 * Own: the mark that keeps a run, and all above and below it, from being deleted by retention; `kept: false` takes it off.
 * For whoever may kill the run. It may be sent twice.
 */
export const keepRun = endpoint({
  name: "keepRun",
  tier: "own",
  capability: "retention",
  section: "Retention",
  summary: "Keep a run, or let it go when its time has come",
  method: "PUT",
  path: "/runs/{run_id}/keep",
  kind: "write",
  params: z.object({ run_id: text }),
  body: kept,
  response: z.object({ run_id: z.string(), ...kept.shape }),
  errors: ["not_found"],
});

/** Own: the same for a conversation, for whoever may continue it. */
export const keepConversation = endpoint({
  name: "keepConversation",
  tier: "own",
  capability: "retention",
  section: "Retention",
  summary: "Keep a conversation, or let it go when its time has come",
  method: "PUT",
  path: "/interactions/{interaction_id}/keep",
  kind: "write",
  params: z.object({ interaction_id: text }),
  body: kept,
  response: z.object({ interaction_id: z.string(), ...kept.shape }),
  errors: ["interaction_not_found", "unauthorized_interaction_access"],
});

/**
 * Own: when a run, conversation or artifact was deleted, and by what. For those who could have seen it, for about a year;
 * for all others `not_found`, as for what never was and what is there.
 */
export const getDeletion = endpoint({
  name: "getDeletion",
  tier: "own",
  capability: "deletions",
  section: "Retention",
  summary: "When something was deleted, and by what",
  method: "GET",
  path: "/deletions/{id}",
  kind: "read",
  params: z.object({ id: text }),
  response: z.object({
    id: z.string(),
    /** To the hour, where it cannot be restored any more. */
    deleted_ts: timestamp,
    deleted_by: openEnum(["person", "retention"]),
    /** How long the rule keeps such things, in days; null where a person deleted it. */
    rule_days: z.nullable(count),
  }),
  errors: ["not_found"],
});
