import { afterAll, beforeAll, expect, it } from "vitest";
import type { Interaction } from "../../contract/interactions.ts";
import type { MessagePart } from "../../contract/messages.ts";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
/** The service's time: it goes on by a second with each look at it. */
let now = Date.parse("2026-11-20T08:00:00.000Z");
beforeAll(async () => {
  const tick = () => {
    now += 1_000;
    return new Date(now);
  };
  app = await startAgentService({ clock: { now: tick } });
});
afterAll(() => app.stop());

const callsOf = (parts: Interaction["messages"]) =>
  (parts?.at(-1)?.parts ?? []).filter((part): part is MessagePart => part.type === "tool_invocation");
const ms = (time: string | null | undefined) => Date.parse(time ?? "");

it("each call of an answer begins when the one before it has come back, and says when it came back itself", async () => {
  const { body } = await app.start(
    '/write_file {"name":"a.md","content":"a"}\n/read_file {"name":"a.md"}\n/read_file {"name":"none.md"}',
    { gummie_id: "agent_offline" },
  );
  const calls = callsOf((await app.settled(body.interaction_id)).messages);
  expect(calls).toHaveLength(3);
  for (const [at, call] of calls.entries()) {
    expect(ms(call.finished_at)).toBeGreaterThan(ms(call.started_at));
    if (at > 0) expect(call.started_at).toBe(calls[at - 1]?.finished_at);
  }
});

it("an answer says when its turn began and ended, also each of several", async () => {
  const body = { gummie_id: "agent_offline" };
  const { interaction_id } = (await app.start("Hello", body)).body;
  await app.settled(interaction_id);
  await app.start("And again", { ...body, interaction_id });
  const { messages } = await app.settled(interaction_id);
  for (const at of [1, 3]) {
    const { started_at, finished_at } = messages[at];
    expect(ms(finished_at)).toBeGreaterThanOrEqual(ms(started_at));
    expect(ms(started_at)).toBeGreaterThanOrEqual(ms(messages[at - 1].timestamp));
    expect(messages[at - 1]).not.toHaveProperty("started_at");
  }
});

it("a turn under way has no end yet, and one that was stopped ends with its call", async () => {
  const tools = { type: "tools", calls: [{ name: "http_get", args: "{}" }] } as const;
  const held = {
    type: "held",
    until: new Promise<void>(() => {}),
    answer: { type: "text", text: "" },
  } as const;
  app.model.next(tools, held);
  const calls = app.model.calls.length;
  const { interaction_id } = (await app.start("Look")).body;
  await until("the model at its second answer", () => app.model.calls.length >= calls + 2);
  const { session } = (await app.call("kim", "GET", `/sessions/${interaction_id}`)).body;
  expect(session.messages[1]).toMatchObject({ started_at: expect.any(String), finished_at: null });
  await app.call("kim", "POST", `/interactions/${interaction_id}/stop`, {});
  const [, answer] = (await app.settled(interaction_id)).messages;
  expect(ms(answer.finished_at)).toBeGreaterThanOrEqual(ms(answer.started_at));
});
