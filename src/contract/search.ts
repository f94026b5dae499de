import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { runState } from "./runs.ts";
import { count, nextCursor, page, text, utcTime } from "./wire.ts";

/** What is searched, in the order of the answer. */
export const searchKinds = ["agent", "flow", "artifact", "run", "conversation"] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Where something stands: in a run, a message, a file's name, or what an agent or flow says of itself. */
const placeKinds = [
  ...["name", "description", "instructions"],
  ...["input", "output", "log", "error", "file"],
  ...["message", "reasoning", "tool", "arguments", "result"],
] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** Fewer have no use of the index; more than these nobody types. */
const least = 3;
const most = 300;

const isKind = (name: string) => searchKinds.some((kind) => kind === name);

/** A place that has what is searched for, with some text around it as it was written. */
const place = z.object({
  in: openEnum(placeKinds),
  /** Of the input, output or tool; of a line of a log the node that wrote it. */
  name: z.nullable(z.string()),
  /** Of a log, from 1. */
  line: z.nullable(count),
  message_id: z.nullable(z.string()),
  part_id: z.nullable(z.string()),
  /** Up to 80 characters; cut where it does not begin with the text. */
  before: z.string(),
  /** As it was written, up to 400 characters. */
  match: z.string(),
  /** Up to 160 characters. */
  after: z.string(),
});
export type SearchPlace = z.output<typeof place>;

/** One thing that was found: a run or a part of its log, one message of a conversation, an artifact, agent or flow. */
export const searchHit = z.object({
  kind: openEnum(searchKinds),
  /** Of the run, conversation, artifact, agent or flow. */
  id: z.string(),
  name: z.string(),
  /** When the run or turn ended; of others when they were made. */
  at: utcTime,
  /** Of an agent, or whose the conversation or artifact is. */
  agent_id: z.nullable(z.string()),
  /** Of a run. */
  state: z.nullable(runState),
  /** The first ones, in the order of what it says. */
  places: z.array(place),
  /** All of them. */
  place_count: count,
});
export type SearchHit = z.output<typeof searchHit>;

/** Own: everything that the caller may see and that has ended, by kind and newest first. */
export const search = endpoint({
  name: "search",
  tier: "own",
  capability: "search",
  section: "Search",
  summary: "Search everything",
  method: "GET",
  path: "/search",
  kind: "read",
  query: z.object({
    /** Searched for as it is: nothing in it is a pattern. */
    q: z.string().check(
      z.refine((q) => [...q.trim()].length >= least, {
        error: `must have at least ${least} characters`,
      }),
      z.maxLength(most, `must have at most ${most} characters`),
    ),
    /** Separated by commas; without it all. */
    kinds: z.optional(
      z.string().check(
        z.refine((kinds) => kinds.split(",").every(isKind), {
          error: `must be of ${searchKinds.join(", ")}, separated by commas`,
        }),
      ),
    ),
    team_id: z.optional(text),
    ...page,
  }),
  response: z.object({
    hits: z.array(searchHit),
    next_cursor: nextCursor,
    /** All that ended since was looked through, and there is more before it; null where it was looked through to its end. */
    searched_to: z.nullable(utcTime),
    /** What ended later may not be found yet; null before the first. */
    indexed_until: z.nullable(utcTime),
  }),
  errors: ["invalid_page_size", "invalid_cursor", "not_found"],
});
