import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../../testing/agents.ts";
import { answer, asked, askedOnce, askingAgent } from "../../../testing/approvals.ts";
import { until } from "../../../testing/until.ts";
import { expireTimer } from "../../../testing/waits.ts";

let app: AgentService;
let agent: string;
beforeAll(async () => {
  app = await startAgentService({ concurrency: 2 });
  agent = await askingAgent(app);
});
afterAll(() => app.stop());

const write = (name: string, content = "Fair wind.") => `/write_file ${JSON.stringify({ name, content })}`;
const ask = (message: string, body: object = {}) => askedOnce(app, message, { gummie_id: agent, ...body });
const filesOf = async (id: string): Promise<string[]> => {
  const { body } = await app.call("kim", "GET", `/artifacts?session_id=${id}`);
  return body.artifacts.map(({ filename }: { filename: string }) => filename);
};
const sessionOf = async (id: string) => (await app.call("kim", "GET", `/sessions/${id}`)).body.session;
const callsOf = async (id: string) =>
  (await sessionOf(id)).messages[1].parts.filter(({ type }: { type: string }) => type === "tool_invocation");
const stepOf = async (itemId: string) =>
  app.context.store.db
    .selectFrom("approvals")
    .select(["execution_id", "step_key"])
    .where("id", "=", itemId)
    .executeTakeFirstOrThrow();

describe("a call that must be asked for", () => {
  it("waits, says so everywhere, and holds no worker while it does", async () => {
    const { id, item } = await ask(write("a.txt"));
    expect(item).toMatchObject({
      kind: "tool_call",
      state: "waiting",
      agent: { id: agent, name: "Asks" },
      session: { id },
      team: null,
      started_by: { id: "user_kim" },
      tool: {
        tool_call_id: "write_file",
        name: "write_file",
        server: null,
        input_schema: { type: "object" },
      },
      arguments_text: '{"name":"a.txt","content":"Fair wind."}',
      arguments: { name: "a.txt", content: "Fair wind." },
      last_approved: null,
      who: { rule: "person", count: 1, people: [{ id: "user_kim" }] },
      may_answer: true,
      may_edit: true,
      answer: null,
    });
    expect(Date.parse(item.lapses_at ?? "") - Date.parse(item.asked_at)).toBeGreaterThan(6.9 * 86_400_000);
    const session = await sessionOf(id);
    expect(session.state).toBe("approval_required");
    expect(session.messages[1].id).toBe(item.message_id);
    expect(session.messages[1].parts).toMatchObject([
      {
        id: item.part_id,
        toolCallState: "approval_required",
        approval: { inbox_id: item.id, state: "waiting" },
      },
    ]);
    const listed = await app.call("kim", "GET", `/agents/${agent}/sessions?state=approval_required`);
    expect(listed.body.sessions).toMatchObject([{ id, state: "approval_required" }]);
    const working = await app.call("kim", "GET", `/agents/${agent}/sessions?state=processing`);
    expect(working.body.sessions).toEqual([]);
    const status = await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`);
    expect(status.body.state).toBe("ASYNC_PROCESSING");
    expect(await filesOf(id)).toEqual([]);
    await app.call("kim", "POST", `/interactions/${id}/stop`, {});
  });

  it("is made as it is when it was approved, and the conversation says who agreed and when", async () => {
    const { id, item } = await ask(write("b.txt"));
    const { status, body } = await answer(app, item, { answer: "approve" });
    expect([status, body.item.state, body.item.answer]).toMatchObject([
      200,
      "approved",
      { answer: "approve", by: { id: "user_kim", first_name: "Kim" }, reason: null, arguments_text: null },
    ]);
    expect(body.item.answer.took_ms).toBeGreaterThanOrEqual(0);
    expect((await app.settled(id)).state).toBe("COMPLETED");
    expect(await filesOf(id)).toEqual(["b.txt"]);
    expect(await callsOf(id)).toMatchObject([
      {
        toolCallState: "completed",
        started_at: body.item.answer.at,
        finished_at: expect.any(String),
        approval: {
          state: "approved",
          answer: "approve",
          answered_by: { id: "user_kim" },
          answered_at: body.item.answer.at,
        },
      },
    ]);
    const answered = await app.call("kim", "GET", `/inbox?state=answered&session_id=${id}`);
    expect(answered.body.items).toMatchObject([{ id: item.id, state: "approved" }]);
  });

  it("shows what was approved last for the same agent and tool", async () => {
    const { item } = await ask(write("c.txt"));
    await answer(app, item, { answer: "approve" });
    const next = await ask(write("d.txt"));
    expect(next.item.last_approved).toMatchObject({
      item_id: item.id,
      by: { id: "user_kim" },
      arguments_text: '{"name":"c.txt","content":"Fair wind."}',
    });
    await answer(app, next.item, { answer: "refuse" });
  });

  it("is made with the arguments that a person wrote in place of the model's", async () => {
    const { id, item } = await ask(write("e.txt"));
    const text = '{ "content": "Foul wind.", "name": "f.txt" }';
    const { body } = await answer(app, item, { answer: "approve_edited", arguments_text: text });
    expect(body.item.answer.arguments_text).toBe('{"content":"Foul wind.","name":"f.txt"}');
    const status = await app.settled(id);
    expect(await filesOf(id)).toEqual(["f.txt"]);
    expect(await callsOf(id)).toMatchObject([{ result: { args: { content: "Foul wind.", name: "f.txt" } } }]);
    // The model hears that it was not its own call that was made.
    expect(status.response).toContain("A person changed the arguments");
  });

  it.each([
    ['{"name": 7, "content": "x"}', "arguments_text.name"],
    ['{"name": "x"}', "arguments_text.content"],
    ["[]", "arguments_text"],
    ["no JSON", "arguments_text"],
    ['{"name":"x","content":"x","n":12345678901234567890}', "arguments_text"],
    [undefined, "arguments_text"],
  ])("S-63: refuses %s as arguments, names %s, and goes on waiting", async (arguments_text, param) => {
    const { id, item } = await ask(write("g.txt"));
    const wrong = await answer(app, item, { answer: "approve_edited", arguments_text });
    expect([wrong.status, wrong.body.error.code, wrong.body.error.param]).toEqual([
      400,
      "invalid_body",
      param,
    ]);
    expect((await sessionOf(id)).state).toBe("approval_required");
    await answer(app, item, { answer: "refuse" });
    await app.settled(id);
    expect(await filesOf(id)).toEqual([]);
  });

  it("cannot be left undecided: that belongs to questions of servers", async () => {
    const { item } = await ask(write("s.txt"));
    const { status, body } = await answer(app, item, { answer: "leave" });
    expect([status, body.error.code, body.error.param]).toEqual([400, "invalid_body", "answer"]);
    expect((await answer(app, item, { answer: "refuse" })).status).toBe(200);
  });

  it("is not made when it was refused, and the model hears why", async () => {
    const { id, item } = await ask(write("h.txt"));
    await answer(app, item, { answer: "refuse", reason: "The harbour is closed." });
    const status = await app.settled(id);
    expect(status.response).toContain("The harbour is closed.");
    expect(await filesOf(id)).toEqual([]);
    expect(await callsOf(id)).toMatchObject([
      { toolCallState: "failed", approval: { state: "refused", reason: "The harbour is closed." } },
    ]);
  });

  it("S-66: lapses when its time is over, and cannot be answered after that", async () => {
    const { id, item } = await ask(write("i.txt"));
    const { execution_id, step_key } = await stepOf(item.id);
    await expireTimer(app.context.store, execution_id, step_key);
    expect((await app.settled(id)).response).toContain("nobody answered within 7 d 0 h");
    const late = await answer(app, item, { answer: "approve" });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_lapsed"]);
    expect((await app.call("kim", "GET", `/inbox/${item.id}`)).body.item).toMatchObject({
      state: "lapsed",
      ended_at: item.lapses_at,
      may_answer: false,
    });
    expect(await filesOf(id)).toEqual([]);
  });

  it("S-66: has lapsed by the database's clock although its turn has not heard of it yet", async () => {
    const { id, item } = await ask(write("j.txt"));
    const { db } = app.context.store;
    const past = new Date(Date.now() - 60_000);
    await db.updateTable("approvals").set({ lapses_at: past }).where("id", "=", item.id).execute();
    const late = await answer(app, item, { answer: "approve" });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_lapsed"]);
    expect((await app.call("kim", "GET", `/inbox?session_id=${id}`)).body.items).toEqual([]);
    await app.call("kim", "POST", `/interactions/${id}/stop`, {});
    expect(await filesOf(id)).toEqual([]);
  });

  it("asks for as long as the agent says", async () => {
    const brief = await askingAgent(app, { approvals: { tools: { write_file: "ask" }, lapse_s: 3600 } });
    const { id, item } = await ask(write("k.txt"), { gummie_id: brief });
    const length = Date.parse(item.lapses_at ?? "") - Date.parse(item.asked_at);
    expect(Math.abs(length - 3_600_000)).toBeLessThan(1_000);
    await app.call("kim", "POST", `/interactions/${id}/stop`, {});
  });

  it("is withdrawn with its turn, when somebody stops it", async () => {
    const { id, item } = await ask(write("l.txt"));
    const stopped = await app.call("kim", "POST", `/interactions/${id}/stop`, {});
    expect(stopped.body).toMatchObject({ stopped: true, state: "FAILED" });
    const late = await answer(app, item, { answer: "approve" });
    expect([late.status, late.body.error.code, late.body.error.details.state]).toEqual([
      409,
      "approval_withdrawn",
      "withdrawn",
    ]);
    expect(await callsOf(id)).toMatchObject([{ toolCallState: "failed", approval: { state: "withdrawn" } }]);
    expect(await filesOf(id)).toEqual([]);
  });

  it("counts for whoever may answer, and for nobody when it is answered", async () => {
    const count = async (key: "kim" | "lee" | "red") =>
      (await app.call(key, "GET", "/inbox/count")).body.waiting;
    expect(await count("kim")).toBe(0);
    const { item } = await ask(write("m.txt"));
    expect([await count("kim"), await count("lee"), await count("red")]).toEqual([1, 0, 0]);
    expect((await app.call("kim", "GET", "/inbox/count")).body.oldest_at).toBe(item.asked_at);
    await answer(app, item, { answer: "refuse" });
    expect(await count("kim")).toBe(0);
  });

  it("does not count the time that people take as the turn's own", async () => {
    const quick = await askingAgent(app);
    const change = { metadata: { preferences: { timeout_s: 60 } } };
    await app.call("kim", "PATCH", `/agents/${quick}`, change, { "x-auth-key": "user_kim" });
    const { id, item } = await ask(write("n.txt"), { gummie_id: quick });
    const { execution_id } = await stepOf(item.id);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const { db } = app.context.store;
    await db.updateTable("executions").set({ started_at: hourAgo }).where("id", "=", execution_id).execute();
    await db.updateTable("approvals").set({ asked_at: hourAgo }).where("id", "=", item.id).execute();
    await answer(app, item, { answer: "approve" });
    expect((await app.settled(id)).state).toBe("COMPLETED");
    expect(await filesOf(id)).toEqual(["n.txt"]);
  });
});

describe("several calls of one answer", () => {
  it("are asked about together; what need not be asked is made meanwhile, and the model goes on when all are settled", async () => {
    const { body } = await app.start(
      `${write("one.txt")}\n/read_file {"name":"none.txt"}\n${write("two.txt")}`,
      {
        gummie_id: agent,
      },
    );
    const id = body.interaction_id;
    const items = await asked(app, id);
    expect(items.map(({ arguments: args }) => args?.name)).toEqual(["one.txt", "two.txt"]);
    expect((await callsOf(id)).map(({ toolCallState }: { toolCallState: string }) => toolCallState)).toEqual([
      "approval_required",
      "failed",
      "approval_required",
    ]);
    const [first, second] = items;
    if (!first || !second) throw new Error("there are two questions");
    await answer(app, second, { answer: "approve" });
    await until("the second file", async () => (await filesOf(id)).length === 1);
    expect((await sessionOf(id)).state).toBe("approval_required");
    await answer(app, first, { answer: "refuse", reason: "Once is enough." });
    const status = await app.settled(id);
    expect(status.response).toContain("Once is enough.");
    expect(await filesOf(id)).toEqual(["two.txt"]);
  });
});

describe("S-62: of a hundred answers at once", () => {
  it("one counts, the call is made once, and the others hear who was first with what", async () => {
    const team = await askingAgent(app, {
      team_id: "team_red",
      approvals: { tools: { write_file: "ask" }, who: "operators" },
    });
    const { id, item } = await ask(write("o.txt"), { gummie_id: team, project_id: "team_red" });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        at % 2 === 0
          ? answer(app, item, { answer: "refuse", reason: `No ${at}` }, "kim")
          : answer(app, item, { answer: "approve", reason: `Yes ${at}` }, "lee"),
      ),
    );
    const counted = answers.filter(({ status }) => status === 200);
    expect(counted).toHaveLength(1);
    const [won] = counted;
    for (const { status, body } of answers.filter((one) => one !== won)) {
      expect([status, body.error.code]).toEqual([409, "already_answered"]);
      expect(body.error.details.answer).toEqual(won?.body.item.answer);
      expect(body.error.message).toMatch(/^(Kim|Lee) Test was first and has (refused|approved) this\.$/);
    }
    await app.settled(id);
    expect(await filesOf(id)).toEqual(won?.body.item.state === "approved" ? ["o.txt"] : []);
  });

  it("the same of the same person, sent twice, is answered twice", async () => {
    const { item } = await ask(write("p.txt"));
    const both = [
      await answer(app, item, { answer: "approve" }),
      await answer(app, item, { answer: "approve" }),
    ];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await answer(app, item, { answer: "refuse" })).status).toBe(409);
  });

  it("the same of another person, or with other arguments, came too late", async () => {
    const team = await askingAgent(app, {
      team_id: "team_red",
      approvals: { tools: { write_file: "ask" }, who: "operators" },
    });
    const { item } = await ask(write("r.txt"), { gummie_id: team, project_id: "team_red" });
    const edited = (content: string) => ({
      answer: "approve_edited",
      arguments_text: JSON.stringify({ name: "r.txt", content }),
    });
    expect((await answer(app, item, edited("Foul wind."), "kim")).status).toBe(200);
    expect((await answer(app, item, edited("Foul wind."), "kim")).status).toBe(200);
    expect((await answer(app, item, edited("No wind."), "kim")).status).toBe(409);
    expect((await answer(app, item, edited("Foul wind."), "lee")).status).toBe(409);
  });
});

describe("many turns that wait for people", () => {
  it("hold no worker and no place of their team: another one goes on", async () => {
    const { pool } = app.context.store;
    await pool.query("insert into running_limits (limit_key, running) values ('user:user_kim', 2)");
    const waiting = await Promise.all(Array.from({ length: 6 }, (_, at) => ask(write(`q${at}.txt`))));
    const { body } = await app.start("Hello", { gummie_id: "agent_offline" });
    expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
    for (const { item } of waiting) await answer(app, item, { answer: "approve" });
    for (const { id } of waiting) expect((await app.settled(id)).state).toBe("COMPLETED");
    await pool.query("delete from running_limits");
  });
});
