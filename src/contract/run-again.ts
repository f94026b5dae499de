import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { count, idempotency, json, jsonObject, text } from "./wire.ts";

/** Which flow a run takes that goes again: as it was when the other one started, or as it is now. */
export const againFlow = ["as_run", "current"] as const;

const params = z.object({ run_id: text });

const fields = {
  /**
   * The step from which on everything is done again, and of an `each` one item of it, from 0. Without it what is done
   * again is what has not ended, and what reads a changed input.
   */
  from: z.nullish(z.object({ node: text, item: z.nullish(count) })),
  /** `as_run` where it is missing. */
  flow: z.nullish(z.enum(againFlow)),
  /** Inputs of this run that change, by name; the others are what they were. */
  inputs: z.nullish(jsonObject),
  /** What that step gives in place of what it gave: it is not done, and all that needs it is. Of one item its `value`. */
  output: z.nullish(z.record(z.string(), json)),
};

/** What becomes of one step of a flow. */
export const againNode = z.object({
  id: z.string(),
  type: z.string(),
  /**
   * `reused`: taken over as it ended, nothing is done. `given`: the output that the request gives. `again`: it had begun in the
   * other run. `first_time`: it had not, and it may be passed over by a condition.
   */
  state: openEnum(["reused", "given", "again", "first_time"]),
  /** Whether it reaches what is outside of the run: servers, agents, other flows. */
  outside: z.boolean(),
  /** It did so in the other run, or may have: that may happen a second time. */
  may_repeat: z.boolean(),
  /** Of an `each` that goes on: how many of its items are reused, and how many there are, where that is known. */
  items: z.nullable(z.object({ reused: count, total: z.nullable(count) })),
  /** The run below it that goes again itself, from a step inside; null: a new one. */
  run_id: z.nullable(z.string()),
});
export type AgainNode = z.output<typeof againNode>;

/** Why it cannot be started like this, in a sentence; `param` is the field of the request. */
export const againRefusal = z.object({ message: z.string(), param: z.string() });

const own = { tier: "own", capability: "run_again", section: "Run again", method: "POST" } as const;

/** Own: what would be reused and done again. It changes nothing. */
export const previewRunAgain = endpoint({
  ...own,
  name: "previewRunAgain",
  summary: "Preview which steps a run again would reuse and repeat",
  path: "/runs/{run_id}/again/preview",
  kind: "read",
  params,
  body: z.object(fields),
  response: z.object({
    /** The runs that go again: this one, and above it those that started it, the topmost first. */
    runs: z.array(
      z.object({
        run_id: z.string(),
        saved_item_id: z.string(),
        saved_item_name: z.string(),
        nodes: z.array(againNode),
      }),
    ),
    refusals: z.array(againRefusal),
    /** Stands for all of the above: a start that names it does exactly that, or nothing. */
    preview: z.string(),
  }),
  errors: ["not_found"],
});

/**
 * Own: runs a run again, as a new run of the caller. A sub-run goes again below a new run of the run at the top. What the
 * preview refuses is `invalid_body` here, with the same sentence and `param`.
 */
export const runAgain = endpoint({
  ...own,
  name: "runAgain",
  summary: "Run a run again from one of its steps",
  path: "/runs/{run_id}/again",
  kind: "write",
  params,
  headers: idempotency,
  body: z.object({
    ...fields,
    /** What the preview answered; where another would be answered by now, nothing is started. */
    preview: z.nullish(text),
  }),
  response: z.object({
    /** The new run at the top. */
    run_id: z.string(),
    /** What this run is in it: the same, but for a sub-run. */
    again_run_id: z.string(),
    saved_item_id: z.string(),
    /** Opens the new run in the console. */
    url: z.string(),
  }),
  errors: ["not_found", "idempotency_key_reused", "insufficient_storage"],
});
