import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelLimits } from "../models/limits.ts";
import type { ModelMessage } from "../models/types.ts";
import { type ChatHistory, createContextWindow, type MessageGroup } from "./context-window.ts";

const words = fc.integer({ min: 1, max: 400 }).map((count) => "tide ".repeat(count));
const question: fc.Arbitrary<MessageGroup> = words.map((text) => [{ role: "user", text }]);
const step = fc
  .record({ text: words, result: words, calls: fc.integer({ min: 1, max: 3 }) })
  .map(({ text, result, calls }): MessageGroup => {
    const made = Array.from({ length: calls }, (_, index) => ({ id: `call_${index}`, name: "look" }));
    return [
      { role: "assistant", text, toolCalls: made.map((call) => ({ ...call, args: {} })) },
      { role: "tool", answers: made.map((call) => ({ ...call, failed: false, result })) },
    ];
  });
const turn: fc.Arbitrary<MessageGroup> = fc
  .tuple(question, fc.array(step, { maxLength: 2 }), words)
  .map(([asked, steps, text]) => [...asked, ...steps.flat(), { role: "assistant", text, toolCalls: [] }]);
const history: fc.Arbitrary<ChatHistory> = fc.record({
  turns: fc.array(turn, { maxLength: 6 }),
  unread: fc.constant(0),
  question,
  steps: fc.array(step, { maxLength: 5 }),
});
const window = (context: number) => {
  const limits: ModelLimits = { context, input: context, output: null, margin: 1, namesOutput: false };
  return createContextWindow(limits, { system: "Be brief.", tools: [] }, null);
};

/** The whole groups that end a list, of which the first ones are left out. */
const kept = (groups: readonly MessageGroup[], leftOut: number): ModelMessage[] =>
  groups.slice(leftOut).flat();

describe("the part of a conversation that a model is told", () => {
  it("is its newest whole turns and steps, with the question between them, whatever fits", () => {
    fc.assert(
      fc.property(
        history,
        fc.integer({ min: 500, max: 20_000 }),
        fc.nat({ max: 6 }),
        (whole, context, cuts) => {
          const { messages, leftOut } = window(context).fit(whole, cuts);
          expect(messages).toEqual([
            ...kept(whole.turns, leftOut.turns),
            ...whole.question,
            ...kept(whole.steps, leftOut.steps),
          ]);
          // The newest step is what the model goes on from.
          if (whole.steps.length > 0) expect(leftOut.steps).toBeLessThan(whole.steps.length);
          // Nothing is left out in between.
          if (leftOut.steps > 0) expect(leftOut.turns).toBe(whole.turns.length);
        },
      ),
    );
  });

  it("is less after each cut, until nothing more can be left out", () => {
    fc.assert(
      fc.property(history, (whole) => {
        const lengths = [0, 1, 2, 3, 4, 5, 6].map(
          (cuts) => window(1_000_000).fit(whole, cuts).messages.length,
        );
        const least = [...whole.question, ...whole.steps.slice(-1).flat()].length;
        for (const [at, length] of lengths.slice(1).entries()) {
          const before = lengths[at] ?? 0;
          if (before === least) expect(length).toBe(least);
          else expect(length).toBeLessThan(before);
        }
      }),
    );
  });

  it("is everything where there is room", () => {
    fc.assert(
      fc.property(history, (whole) => {
        expect(window(1_000_000).fit(whole, 0).leftOut).toEqual({ turns: 0, steps: 0 });
      }),
    );
  });
});
