import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, outsideTeam, startAgentService } from "../../testing/agents.ts";
import { auditOf } from "../../testing/audit.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const never = new Promise<void>(() => {});
const held = { type: "held", until: never, answer: { type: "text", text: "Too late." } } as const;
const writes = {
  type: "tools",
  text: "I write it down.",
  calls: [{ name: "write_file", args: '{"name":"log.txt","content":"Fair wind."}' }],
} as const;

const stop = (id: string, body: object = {}, key: KeyName = "kim") =>
  app.call(key, "POST", `/interactions/${id}/stop`, body);

/** Begins a turn and waits until the model has been asked so often. */
async function working(message: string, calls: number, body: object = {}, key: KeyName = "kim") {
  const before = app.model.calls.length;
  const started = await app.start(message, { ...body }, key);
  expect(started.status).toBe(202);
  await until("the model at work", () => app.model.calls.length >= before + calls);
  return started.body.interaction_id as string;
}

const session = async (id: string) => (await app.call("kim", "GET", `/sessions/${id}`)).body.session;

describe("stopping a turn", () => {
  it("ends it FAILED with who stopped it, keeps what was done, and lets the conversation go on", async () => {
    app.model.next(writes, held);
    const id = await working("Write the log", 2);
    const stopped = await stop(id);
    expect(stopped.status).toBe(200);
    expect(stopped.body).toEqual({ interaction_id: id, stopped: true, state: "FAILED" });
    expect(await auditOf(app.context, "conversation.stop")).toMatchObject([
      { object_id: id, user_id: "user_kim", credential_kind: "personal" },
    ]);
    const status = await app.settled(id);
    expect(status).toMatchObject({ state: "FAILED", error_message: "Stopped by Kim Test." });
    expect(status.messages[1].parts.map(({ type }: { type: string }) => type)).toEqual([
      "text",
      "tool_invocation",
      "file",
      "error",
    ]);
    expect(status.messages[1].parts.at(-1)).toMatchObject({ error: "Stopped by Kim Test.", code: "stopped" });
    expect(await session(id)).toMatchObject({ state: "failed", stopped: true });
    app.model.next({ type: "text", text: "Here I am." });
    await app.start("Go on", { interaction_id: id });
    expect(await app.settled(id)).toMatchObject({ state: "COMPLETED", response: "Here I am." });
    expect(await session(id)).not.toHaveProperty("stopped");
  });

  it("ends the run that its tool had started, and shows that call as one that did not come back", async () => {
    const { db } = app.context.store;
    const nodes = [
      { id: "pause", node: { type: "delay", seconds: 600 } },
      { id: "end", node: { type: "output", value: "x", after: ["pause"] } },
    ];
    const flow = { id: "flow_slow", user_id: "user_kim", team_id: null, name: "Slow", removed_at: null };
    await db
      .insertInto("saved_items")
      .values({ ...flow, definition: toJson({ nodes }) })
      .execute();
    const { body } = await app.start('/run_flow {"saved_item_id":"flow_slow"}', {
      gummie_id: "agent_offline",
    });
    const runs = () =>
      db.selectFrom("executions").select("state").where("subject_id", "=", "flow_slow").execute();
    await until("the run", async () => (await runs())[0]?.state === "waiting");
    expect((await stop(body.interaction_id)).body.stopped).toBe(true);
    expect(await runs()).toEqual([{ state: "terminated" }]);
    const { messages } = await app.settled(body.interaction_id);
    const [call] = messages[1].parts;
    expect(call.toolCallState).toBe("failed");
    expect(Date.parse(call.finished_at)).toBeGreaterThanOrEqual(Date.parse(call.started_at));
  });

  it("is done once by whoever comes first, and a second one is told that there was nothing to stop", async () => {
    app.model.next(held);
    const id = await working("Wait", 1);
    const answers = await Promise.all([stop(id), stop(id), stop(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(({ body }) => body.stopped)).toHaveLength(1);
    expect((await stop(id)).body).toEqual({ interaction_id: id, stopped: false, state: "FAILED" });
    const { messages } = await app.settled(id);
    expect(messages[1].parts).toHaveLength(1);
  });

  it("changes nothing in a conversation whose turn has ended", async () => {
    app.model.next({ type: "text", text: "Done." });
    const { body } = await app.start("Quick");
    await app.settled(body.interaction_id);
    const stopped = await stop(body.interaction_id);
    expect(stopped.body).toEqual({ interaction_id: body.interaction_id, stopped: false, state: "COMPLETED" });
    expect(await app.settled(body.interaction_id)).toMatchObject({ state: "COMPLETED", response: "Done." });
  });

  it("that comes late does not end the turn after the one that was meant", async () => {
    app.model.next({ type: "text", text: "One." }, held);
    const { body } = await app.start("First");
    const id = body.interaction_id;
    const first = (await app.settled(id)).messages[0].id;
    await working("Second", 1, { interaction_id: id });
    const late = await stop(id, { message_id: first });
    expect(late.body).toEqual({ interaction_id: id, stopped: false, state: "ASYNC_PROCESSING" });
    const second = (await session(id)).messages.at(-1).id;
    expect((await stop(id, { message_id: second })).body.stopped).toBe(true);
  });

  it("is for whoever may go on with the conversation: a team's members and its key, nobody else", async () => {
    app.model.next(held, held);
    const own = await working("Mine", 1);
    for (const key of ["lee", "red", "blue"] as const) {
      const refused = await stop(own, {}, key);
      expect([refused.status, refused.body.error.code]).toEqual([404, "interaction_not_found"]);
    }
    const ours = { gummie_id: "agent_kim", project_id: "team_red" };
    const shared = await working("Ours", 1, ours);
    expect((await stop(shared, {}, "blue")).status).toBe(404);
    expect((await stop(shared, {}, "lee")).body.stopped).toBe(true);
    expect((await app.settled(shared)).error_message).toBe("Stopped by Lee Test.");
    app.model.next(held);
    const again = await working("Again", 1, { ...ours, interaction_id: shared });
    expect((await stop(again, {}, "red")).body.stopped).toBe(true);
    expect((await app.settled(again)).error_message).toBe("Stopped by a key of the team.");
    await stop(own);
  });

  it("of a team's conversation is not for whoever began it and has left the team, who only reads it", async () => {
    app.model.next(held);
    const id = await working("Ours", 1, { gummie_id: "agent_kim", project_id: "team_red" });
    const { refused, read } = await outsideTeam(app.context, "team_red", "user_kim", async () => ({
      refused: await stop(id),
      read: await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`),
    }));
    expect([refused.status, refused.body.error.code]).toEqual([403, "unauthorized_interaction_access"]);
    expect(read.body.state).toBe("ASYNC_PROCESSING");
    expect((await stop(id, {}, "lee")).body.stopped).toBe(true);
  });
});

it("a list of conversations can be narrowed to those whose turn was stopped", async () => {
  app.model.next(held, { type: "status", status: 400, message: "bad" });
  const stopped = await working("To be stopped", 1);
  await stop(stopped);
  const { body } = await app.start("To fail");
  await app.settled(body.interaction_id);
  const ids = async (state: string) =>
    (
      await app.call("kim", "GET", `/agents/agent_kim/sessions?state=${state}&page_size=100`)
    ).body.sessions.map(({ id }: { id: string }) => id);
  expect(await ids("stopped")).toContain(stopped);
  expect(await ids("stopped")).not.toContain(body.interaction_id);
  expect(await ids("failed")).toEqual(expect.arrayContaining([stopped, body.interaction_id]));
});
