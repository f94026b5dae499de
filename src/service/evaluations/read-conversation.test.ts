import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { evaluating, verdict } from "../../testing/evaluating.ts";
import { countRows } from "../../testing/rows-read.ts";
import { storeConversation } from "../../testing/stored-conversation.ts";
import type { StoredPart } from "../agents/parts.ts";
import { readConversation } from "./read-conversation.ts";
import { partLine, textLine } from "./transcript.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());
const { configure, evaluated } = evaluating(() => app);

const text = fc
  .oneof(
    { weight: 20, arbitrary: fc.nat({ max: 300 }) },
    { weight: 3, arbitrary: fc.nat({ max: 60_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 600_000 }) },
  )
  .chain((length) =>
    fc.constantFrom("tide ", "x", "保", '"\\').map((unit) => unit.repeat(length / unit.length)),
  );
const part: fc.Arbitrary<StoredPart> = fc.tuple(fc.nat({ max: 5 }), text).map(([kind, said]): StoredPart => {
  if (kind === 0) return { id: "notice-answer_cut", type: "notice", code: "answer_cut", notice: said };
  if (kind === 1) return { id: "error", type: "error", error: said };
  if (kind === 2) return { id: "reasoning-1", type: "reasoning", reasoning: said };
  if (kind === 3) {
    return {
      ...{ id: "tool-1-0", type: "tool_invocation", toolCallId: "c", toolName: "read_file" },
      ...{ toolCallState: "completed", result: { args: { name: said }, result: said } },
    };
  }
  return { id: `text-${kind}`, type: "text", text: said };
});
const message = fc.record({ content: fc.option(text), parts: fc.array(part, { maxLength: 4 }) });

type Told = ReadonlyArray<{ readonly content: string | null; readonly parts: readonly StoredPart[] }>;

/** The lines of a whole conversation. */
const linesOf = (messages: Told) =>
  messages.flatMap(({ content, parts }, at) => {
    if (at % 2 === 0) return [textLine(at + 1, "person", content ?? "")];
    const lines = parts.flatMap((one) => partLine(at + 1, one) ?? []);
    return lines.length > 0 || content === null ? lines : [textLine(at + 1, "agent", content)];
  });

/** The newest of them, chosen from the whole. */
function newest(messages: Told, most: number): string {
  let size = 0;
  const kept: string[] = [];
  for (const line of linesOf(messages)
    .map((one) => JSON.stringify(one))
    .reverse()) {
    size += line.length;
    if (size > most && kept.length > 0) {
      kept.unshift(JSON.stringify({ note: "earlier messages are left out" }));
      break;
    }
    kept.unshift(line.length > most ? JSON.stringify({ note: `${line.slice(0, most)}… (cut)` }) : line);
  }
  return kept.join("\n");
}

describe("an evaluation of a conversation", () => {
  it("S-266: tells the judge the same as if it was read whole, and code hears all that the agent said", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 2, maxLength: 10 }),
        fc.nat({ max: 6 }),
        async (all, cuts) => {
          const id = `int_told_${++made}`;
          // Messages of people have no parts.
          const said = all.map((one, at) => (at % 2 === 0 ? { ...one, parts: [] } : one));
          await storeConversation(app.context.store.pool, id, { userId: "user_kim", said });
          const turn = Math.ceil(said.length / 4);
          const heard = new Map<number, string>();
          const judge = {
            message: (number: number) => ({
              hear: (piece: string) => heard.set(number, (heard.get(number) ?? "") + piece),
            }),
            decided: () => new Map(),
          };
          const transcript = await readConversation(app.context.store, { interactionId: id, turn }, judge);
          const most = 150_000 / 2 ** cuts;
          expect(transcript.text(most)).toBe(newest(said.slice(0, turn * 2), most));
          const spoken = said.slice(0, turn * 2).flatMap(({ content, parts }, at): [number, string][] => {
            const texts = parts.flatMap((one) => (one.type === "text" ? [one.text] : []));
            return at % 2 === 0 ? [] : [[at + 1, texts.length > 0 ? texts.join("") : (content ?? "")]];
          });
          expect([...heard]).toEqual(spoken.filter(([number]) => heard.has(number)));
          expect(
            spoken
              .filter(([number]) => !heard.has(number))
              .map(([, words]) => words)
              .join(""),
          ).toBe("");
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it("S-266: of three thousand turns reads them piece by piece, and finds what was said in the first and the last", async () => {
    await configure({
      criteria: [
        {
          id: "words",
          name: "Words",
          prompt: "guarantee",
          type: "prohibited_words",
          priority: "needs_review",
        },
        { id: "kind", name: "Kind", prompt: "Is kind.", type: "voice_tone", priority: "needs_review" },
      ],
    });
    const answer = (words: string) => ({
      content: words,
      parts: [{ id: "text-1", type: "text", text: words }],
    });
    const said = Array.from({ length: 3_000 }, (_, at) => [
      { content: `Question ${at + 1}. ${"And so on. ".repeat(100)}` },
      answer(at === 0 || at === 2_999 ? "We guarantee it." : "Yes."),
    ]).flat();
    await storeConversation(app.context.store.pool, "int_judged", {
      ...{ userId: "user_kim", agentId: "agent_kim", said },
    });
    const isJudge = (told: unknown) => JSON.stringify(told).includes("You evaluate a conversation");
    const criteria = [{ id: "kind", result: "success", rationale: "" }];
    app.model.otherwise(({ messages }) => ({
      type: "text",
      text: isJudge(messages) ? JSON.stringify(verdict({ criteria })) : "Last words.",
    }));
    const rows = countRows();
    await app.start("And now?", { interaction_id: "int_judged" });
    const [result] = await evaluated("int_judged");
    const most = rows.mostOfOne();
    vi.restoreAllMocks();
    expect(most).toBeLessThan(800);
    expect(result.criteria_results).toMatchObject([
      {
        id: "words",
        result: "failure",
        rationale: 'The agent said "guarantee" in message 2, "guarantee" in message 6000.',
      },
      { id: "kind", result: "success" },
    ]);
    const told = JSON.stringify(app.model.calls.findLast(({ messages }) => isJudge(messages))?.messages);
    expect(told).toContain("Last words.");
    expect(told).toContain("earlier messages are left out");
  });
});
