import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

interface Answer {
  readonly text: string;
  readonly files: readonly string[];
}

/** An answer that asks for some files, with or without words before them. */
const anAnswer: fc.Arbitrary<Answer> = fc.record({
  text: fc.constantFrom("", "I write."),
  files: fc.array(fc.constantFrom("a.txt", "b.txt", "c.txt"), { minLength: 1, maxLength: 3 }),
});

const asked = ({ text, files }: Answer) => {
  const calls = files.map((name) => {
    return { name: "write_file", args: JSON.stringify({ name, content: "x" }) };
  });
  return { type: "tools", text, calls } as const;
};

/** What the model was told last, without the instructions. The order of fields in JSON is not what this is about. */
const told = () => {
  const messages = app.model.calls.at(-1)?.messages.filter(({ role }) => role !== "system") ?? [];
  return messages.map((message) => {
    return message.role === "tool" ? { ...message, content: fieldsOf(message.content) } : message;
  });
};

const fieldsOf = (content: unknown): unknown => {
  const text = String(content);
  return text.startsWith("{") ? JSON.parse(text) : text;
};

/** The ids of all calls that the model was told of. */
const callIds = () =>
  told().flatMap(({ tool_calls }) =>
    Array.isArray(tool_calls) ? tool_calls.map(({ id }: { id: string }) => id) : [],
  );

async function say(message: string, body: object = {}) {
  const { body: started } = await app.start(message, { ...body });
  return app.settled(started.interaction_id);
}

describe("what the model is told of earlier turns", () => {
  it("is what happened in them: each step as it was asked for and answered, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAnswer, { minLength: 1, maxLength: 4 }), async (answers) => {
        app.model.next(...answers.map(asked), { type: "text", text: "Written." });
        const { interaction_id } = await say("Write");
        const before = told();
        expect(before.filter(({ role }) => role === "assistant")).toHaveLength(answers.length);
        await say("Thanks", { interaction_id });
        const later = [
          { role: "assistant", content: "Written." },
          { role: "user", content: "Thanks" },
        ];
        expect(told()).toEqual([...before, ...later]);
        // Whatever ids the model gave, here the same ones in each answer: some providers refuse one that comes twice.
        expect(new Set(callIds()).size).toBe(answers.flatMap(({ files }) => files).length);
      }),
      { numRuns: 12, examples: [[[1, 2].map(() => ({ text: "", files: ["a.txt"] }))]] },
    );
  });

  it("is the same after a turn that came to no end", async () => {
    const limit = { metadata: { preferences: { max_steps: 2 } } };
    await app.call("kim", "PATCH", "/agents/agent_kim", limit, { "x-auth-key": "user_kim" });
    const one = asked({ text: "", files: ["a.txt"] });
    app.model.next(one, one);
    const { interaction_id, state } = await say("Write");
    expect(state).toBe("FAILED");
    await say("Go on", { interaction_id });
    expect(told().map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "user",
    ]);
  });

  it("says of a call that was cut off that it was, and not that it answered nothing", async () => {
    await app.context.store.db
      .insertInto("saved_items")
      .values({
        ...{ id: "flow_slow", user_id: "user_kim", team_id: null, name: "Slow", removed_at: null },
        definition: JSON.stringify({
          nodes: [
            { id: "pause", node: { type: "delay", seconds: 600 } },
            { id: "end", node: { type: "output", value: "x", after: ["pause"] } },
          ],
        }),
      })
      .execute();
    const call = { name: "run_flow", args: '{"saved_item_id":"flow_slow"}' };
    app.model.next({ type: "tools", calls: [call] });
    const { body } = await app.start("Run it");
    const running = () =>
      app.context.store.db
        .selectFrom("executions")
        .select("parent_id")
        .where("subject_id", "=", "flow_slow")
        .executeTakeFirst();
    await expect.poll(running, { timeout: 60_000 }).toBeDefined();
    await app.context.engine.kill((await running())?.parent_id ?? "");
    await app.settled(body.interaction_id);
    await say("And?", { interaction_id: body.interaction_id });
    expect(told()[2]).toMatchObject({ role: "tool", content: "The turn ended before this call finished." });
  });
});
