import { z } from "zod";
import { anySignal } from "../any-signal.ts";
import { approval } from "./approval.ts";
import { code } from "./code.ts";
import { flow } from "./flow.ts";
import { http } from "./http.ts";
import { mcpTool } from "./mcp-tool.ts";
import { commonFields, defineNode, done, NodeError } from "./node.ts";
import { template } from "./template.ts";

/** The largest list that is fanned out. */
const fanOut = 1_000;

/** How many items at the same time, where a flow says nothing of it. */
export const itemsAtOnce = 5;

/** Of what is recorded of an item that failed, in characters. */
const longestReason = 2_000;

/** Does one thing for each item of a list; `value` is the list of results, in the order of the items. */
export const each = defineNode({
  type: "each",
  schema: z.strictObject({
    type: z.literal("each"),
    ...commonFields,
    /** A list, or a template that is exactly one reference to a list. */
    items: z.union([z.array(z.json()), z.string()]),
    /** How many items at the same time. */
    concurrency: z.int().min(1).max(50).default(itemsAtOnce),
    /** What is done, with the further variables `item` and `index` (from 0). */
    do: z.discriminatedUnion("type", [
      template.schema,
      code.schema,
      http.schema,
      flow.schema,
      approval.schema,
      mcpTool.schema,
    ]),
  }),
  outputs: ["value", "count"],
  literals: ["concurrency"],
  locals: { do: ["item", "index"] },
  waits: true,
  async run({ config, fields, steps, inner, signal }) {
    const { items } = fields;
    if (!Array.isArray(items)) throw new NodeError("items must be a list");
    if (items.length > fanOut) {
      throw new NodeError(`the list has ${items.length} items; at most ${fanOut} are possible`);
    }
    const results = items.map((_, index) => steps.get(`${index}`));
    // The process ended before the node's own end was written.
    const failed = results.find((step) => step?.state === "failed");
    if (failed) throw new NodeError(failed.error ?? "an item failed");
    const open = [...items.keys()].filter((index) => results[index] === undefined).values();
    let waiting = false;
    const stop = new AbortController();
    const stopped = anySignal([signal, stop.signal]);
    const worker = async () => {
      for (const index of open) {
        if (stopped.aborted) return;
        const result = await inner("do", `${index}`, { item: items[index], index }, stopped).catch(
          async (error: unknown) => {
            const isFirst = !stopped.aborted;
            stop.abort(error);
            if (isFirst && error instanceof NodeError) {
              await steps.fail(`${index}`, error.message.slice(0, longestReason));
            }
            throw error;
          },
        );
        if (result.type === "waiting") {
          waiting = true;
          return;
        }
        await steps.record(`${index}`, result.output.value ?? null);
      }
    };
    // The first that fails stops the others; nothing of theirs may happen when this node is over.
    const workers = Array.from({ length: config.concurrency }, () =>
      worker().catch((error: unknown) => stop.abort(error)),
    );
    await Promise.all(workers);
    stop.signal.throwIfAborted();
    if (waiting) return { type: "waiting" };
    signal.throwIfAborted();
    const value = items.map((_, index) => steps.get(`${index}`)?.output ?? null);
    return done({ value, count: items.length });
  },
});
