import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { countRows } from "../../testing/rows-read.ts";
import { storeConversation } from "../../testing/stored-conversation.ts";
import type { ModelLimits } from "../models/limits.ts";
import { type ChatHistory, createContextWindow, type MessageGroup } from "./context-window.ts";
import { toTurns } from "./history.ts";
import { createReadNewestTurns } from "./newest-turns.ts";
import { noticePart, type StoredPart } from "./parts.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ environment: { WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT: "4000" } });
});
afterAll(() => app.stop());

interface Talk {
  readonly asked: string;
  readonly parts: readonly StoredPart[];
  readonly said: string | null;
}

const units = ["tide ", "x", "保", " ", '"\\', "\n \n", "9f8"];
/** Mostly short; some longer than a read or a window. */
const text = fc
  .tuple(
    fc.constantFrom(...units),
    fc.oneof(
      { weight: 20, arbitrary: fc.nat({ max: 300 }) },
      { weight: 3, arbitrary: fc.nat({ max: 20_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 400_000 }) },
    ),
  )
  .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)));

const call = (number: number, index: number, state: "completed" | "failed" | "running", said: string) => ({
  ...{
    id: `tool-${number}-${index}`,
    type: "tool_invocation" as const,
    toolCallId: `call_${number}_${index}`,
  },
  ...{ toolName: "read_file", toolCallState: state },
  result: { args: state === "failed" ? null : { name: said.slice(0, 9) }, result: said || null },
});

const answer = fc.record({
  text: fc.option(text),
  reasoning: fc.option(text),
  calls: fc.array(fc.tuple(fc.constantFrom("completed", "failed", "running"), text), { maxLength: 3 }),
  isCut: fc.boolean(),
});
const talk: fc.Arbitrary<Talk> = fc
  .record({ asked: text, answers: fc.array(answer, { maxLength: 3 }), said: fc.option(text) })
  .map(({ asked, answers, said }) => ({
    ...{ asked, said },
    parts: answers.flatMap(({ text: words, reasoning, calls, isCut }, at): StoredPart[] => [
      ...(isCut ? [noticePart("history_cut", "Left out.")] : []),
      ...(reasoning === null ? [] : [{ id: `reasoning-${at}`, type: "reasoning" as const, reasoning }]),
      ...(words === null ? [] : [{ id: `text-${at}`, type: "text" as const, text: words }]),
      ...calls.map(([state, result], index) => call(at, index, state, result)),
    ]),
  }));
const step: fc.Arbitrary<MessageGroup> = text.map((said) => [
  { role: "assistant", text: said, toolCalls: [] },
]);

const messagesOf = (talks: readonly Talk[], question: string) => [
  ...talks.flatMap(({ asked, parts, said }) => [
    { role: "user" as const, content: asked, parts: [] },
    { role: "assistant" as const, content: said, parts },
  ]),
  { role: "user" as const, content: question, parts: [] },
];

describe("a conversation that is read from its end", () => {
  it("S-265: tells a model the same as one that is read whole, and of as many turns that are left out", async () => {
    const { store } = app.context;
    const read = createReadNewestTurns(store);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(talk, { maxLength: 8 }),
        text,
        fc.array(step, { maxLength: 3 }),
        fc.integer({ min: 200, max: 150_000 }),
        fc.constantFrom(1, 1.1, 1.35),
        async (talks, question, steps, context, margin) => {
          const stored = messagesOf(talks, question);
          const id = `int_newest_${++made}`;
          // What is said by now is none of what is asked.
          const later = { content: null, parts: [{ id: "text-1", type: "text", text: "Now." }] };
          await storeConversation(store.pool, id, { userId: "user_kim", said: [...stored, later] });
          const limits: ModelLimits = {
            ...{ context, input: context, output: null, margin, namesOutput: false },
          };
          const window = createContextWindow(limits, { system: "Be brief.", tools: [] }, null);
          const newest = await read(id, stored.length, window.room);
          const turns = toTurns(stored);
          const whole = { turns: turns.slice(0, -1), question: turns.at(-1) ?? [], unread: 0 };
          for (const done of [[], steps]) {
            const before: ChatHistory = { ...whole, steps: done };
            for (let cuts = 0; cuts <= 6; cuts++)
              expect(window.fit({ ...newest, steps: done }, cuts)).toEqual(window.fit(before, cuts));
          }
          expect(newest.turns).toHaveLength(
            turns.length - 1 - window.fit({ ...whole, steps: [] }, 0).leftOut.turns,
          );
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  const thousands = Array.from({ length: 3_000 }, (_, at) => [
    { content: `Question ${at + 1}. ${"And so on. ".repeat(100)}` },
    { content: "Yes.", parts: [{ id: "text-1", type: "text", text: "Yes." }] },
  ]).flat();

  it("S-265: of three thousand turns costs a turn a few rows, and its model is told the newest and how many it is not", async () => {
    await storeConversation(app.context.store.pool, "int_thousands", {
      ...{ userId: "user_kim", agentId: "agent_kim", said: thousands },
    });
    app.model.otherwise(() => ({ type: "text", text: "Good." }));
    const rows = countRows();
    const { body } = await app.start("And now?", { interaction_id: "int_thousands" });
    await vi.waitUntil(() => app.model.calls.length > 0, { timeout: 60_000 });
    const read = rows.all();
    vi.restoreAllMocks();
    expect(read).toBeLessThan(500);
    const { messages } = app.model.calls.at(-1) ?? { messages: [] };
    const told = messages.slice(1).map(({ content }) => String(content).slice(0, 14));
    const turns = (told.length - 1) / 2;
    expect(turns).toBeGreaterThan(3);
    expect(told).toEqual([
      ...Array.from({ length: turns }, (_, at) => [`Question ${3_001 - turns + at}.`, "Yes."]).flat(),
      "And now?",
    ]);
    expect(String(messages[0]?.content)).toContain(`the first ${3_000 - turns} turns of this conversation`);
    expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
  });

  it("S-265: costs the built-in model, which reads its newest message alone, no more", async () => {
    await storeConversation(app.context.store.pool, "int_offline", {
      ...{ userId: "user_kim", agentId: "agent_offline", said: thousands },
    });
    const rows = countRows();
    const { body } = await app.start("And now?", {
      interaction_id: "int_offline",
      gummie_id: "agent_offline",
    });
    const turn = () =>
      app.context.store.db
        .selectFrom("interactions")
        .select("state")
        .where("id", "=", body.interaction_id)
        .executeTakeFirstOrThrow();
    await vi.waitUntil(async () => (await turn()).state === "completed", { timeout: 60_000 });
    const read = rows.all();
    vi.restoreAllMocks();
    expect(read).toBeLessThan(1_000);
    const { messages } = await app.settled(body.interaction_id);
    expect(messages.at(-1).parts).toMatchObject([{ type: "text" }]);
  });

  it("S-265: reads of a turn that is larger than the window only so much as tells that", async () => {
    const { pool } = app.context.store;
    const parts = Array.from({ length: 60 }, (_, at) => call(at, 0, "completed", `${at} `.repeat(40_000)));
    const said = [{ content: "Look everywhere." }, { content: "I did.", parts }];
    await storeConversation(pool, "int_large", { userId: "user_kim", agentId: "agent_kim", said });
    const before = app.model.calls.length;
    const asked = vi.spyOn(pool, "query");
    await app.start("And now?", { interaction_id: "int_large" });
    await vi.waitUntil(() => app.model.calls.length > before, { timeout: 60_000 });
    const reads = asked.mock.calls.filter(([query]) =>
      JSON.stringify(query).includes("conversation_rows_before"),
    );
    vi.restoreAllMocks();
    // The first gives the question alone: what comes before it is longer.
    expect(reads).toHaveLength(2);
    const { messages } = app.model.calls.at(-1) ?? { messages: [] };
    expect(messages.slice(1).map(({ content }) => content)).toEqual(["And now?"]);
    expect(String(messages[0]?.content)).toContain("the first turn of this conversation");
  });
});
