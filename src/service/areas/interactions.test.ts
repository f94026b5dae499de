import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

/** Keeps the model from answering until it is let go. */
function hold() {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.model.next({ type: "held", until, answer: { type: "text", text: "Done." } });
  return release;
}

async function idOf(started: Promise<{ status: number; body: { interaction_id: string } }>): Promise<string> {
  const { status, body } = await started;
  expect(status).toBe(202);
  return body.interaction_id;
}

describe("a conversation (§3.1)", () => {
  it("starts with 202 and processing, and ends COMPLETED with response and messages", async () => {
    app.model.next({ type: "text", text: "Good morning." });
    const started = await app.start("Hello");
    expect(started.status).toBe(202);
    expect(started.body).toEqual({ interaction_id: expect.stringMatching(/^int_/), status: "processing" });
    const status = await app.settled(started.body.interaction_id);
    expect(status).toMatchObject({
      interaction_id: started.body.interaction_id,
      state: "COMPLETED",
      gummie_id: "agent_kim",
      response: "Good morning.",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Good morning.", parts: [{ type: "text", text: "Good morning." }] },
      ],
    });
    expect(status.created_ts).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
    expect(status).not.toHaveProperty("error_message");
  });

  it.each([
    ["a page of this service with a key", { "sec-fetch-site": "same-origin" }, "console"],
    ["a command with a key", {}, "api"],
  ])("says through what it was begun: %s", async (_by, headers, type) => {
    app.model.next({ type: "text", text: "Good morning." });
    const message = { gummie_id: "agent_kim", message: "Hello", user_id: "user_kim" };
    const id = await idOf(app.call("kim", "POST", "/start_agent", message, headers));
    await app.settled(id);
    expect((await app.call("kim", "GET", `/sessions/${id}`)).body.session.type).toBe(type);
  });

  it("shows only ids, state and time while it is processing, and refuses another message with 409", async () => {
    const release = hold();
    const id = await idOf(app.start("Take your time"));
    const { body } = await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`);
    expect(Object.keys(body).sort()).toEqual(["created_ts", "gummie_id", "interaction_id", "state"]);
    expect(body.state).toBe("ASYNC_PROCESSING");
    const again = await app.start("Hurry", { interaction_id: id });
    expect(again.status).toBe(409);
    expect(again.body.error).toBe("interaction_not_in_terminal_state");
    release();
    expect((await app.settled(id)).messages).toHaveLength(2);
  });

  it("continues with the same id, and the model reads what was said before", async () => {
    app.model.next({ type: "text", text: "One." }, { type: "text", text: "Two." });
    const id = await idOf(app.start("First"));
    await app.settled(id);
    expect(await idOf(app.start("Second", { interaction_id: id }))).toBe(id);
    const status = await app.settled(id);
    expect(status.response).toBe("Two.");
    expect(status.messages.map(({ content }: { content: string }) => content)).toEqual([
      "First",
      "One.",
      "Second",
      "Two.",
    ]);
    expect(app.model.calls.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "user", content: "First" },
      { role: "assistant", content: "One." },
      { role: "user", content: "Second" },
    ]);
  });

  it("S-250: takes messages of 200,000 characters, refuses longer ones by name, and shows what was kept before", async () => {
    const most = "🙂".repeat(200_000);
    const id = await idOf(app.start(most));
    const { messages } = await app.settled(id);
    expect(messages[0].content).toBe(most);
    const copy = { before_message_id: messages[0].id, message: `${most}!` };
    for (const refused of [
      await app.start(`${most}!`),
      await app.start(`${most}!`, { interaction_id: id }),
      await app.call("kim", "POST", `/interactions/${id}/copy`, copy),
    ]) {
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain("message must have at most 200,000 characters");
    }
    await app.service.context.store.pool.query(
      "update messages set content = content || '!' where interaction_id = $1 and seq = 1",
      [id],
    );
    const { body } = await app.call("kim", "GET", `/sessions/${id}`);
    expect(body.session.messages[0].content).toBe(`${most}!`);
  });

  it("can be continued after it FAILED, with its error kept in the history", async () => {
    app.model.next({ type: "status", status: 400, message: "bad" }, { type: "text", text: "Better." });
    const id = await idOf(app.start("First"));
    const failed = await app.settled(id);
    expect(failed).toMatchObject({
      state: "FAILED",
      error_message: expect.stringContaining("local answered 400"),
    });
    expect(failed).not.toHaveProperty("response");
    await app.start("Again", { interaction_id: id });
    const status = await app.settled(id);
    expect(status).toMatchObject({ state: "COMPLETED", response: "Better." });
    expect(status.messages[1].parts).toMatchObject([{ type: "error" }]);
  });

  it("S-10: the same Idempotency-Key gives the same conversation once, and another body is refused", async () => {
    const headers = { "idempotency-key": "once-1" };
    const body = { gummie_id: "agent_kim", message: "Once", user_id: "user_kim" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.call("kim", "POST", "/start_agent", body, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map((answer) => answer.body.interaction_id)).size).toBe(1);
    const other = await app.call("kim", "POST", "/start_agent", { ...body, message: "Twice" }, headers);
    expect(other.status).toBe(422);
    await app.settled(answers[0]?.body.interaction_id);
  });

  it("S-10: a continuation that is repeated with its Idempotency-Key is answered again, not refused", async () => {
    const id = await idOf(app.start("First"));
    await app.settled(id);
    const release = hold();
    const body = { gummie_id: "agent_kim", message: "More", user_id: "user_kim", interaction_id: id };
    const send = () => app.call("kim", "POST", "/start_agent", body, { "idempotency-key": "more-1" });
    expect((await send()).status).toBe(202);
    expect((await send()).status).toBe(202);
    release();
    expect((await app.settled(id)).messages).toHaveLength(4);
  });

  it("S-11: of many continuations at once exactly one gets the turn", async () => {
    const isLong = process.env.WHEELHOUSE_LONG === "1";
    const rounds = Number(process.env.ROUNDS ?? (isLong ? 100 : 2));
    const crowd = isLong ? 1_000 : 200;
    const begun = performance.now();
    const id = await idOf(app.start("First"));
    let busy = 0;
    // Who is told that too many wait for the database has to ask again, and must not have been let in by then.
    const ask = async (message: string): Promise<Awaited<ReturnType<typeof app.start>>> => {
      const answer = await app.start(message, { interaction_id: id });
      if (answer.status !== 503) return answer;
      busy++;
      return ask(message);
    };
    for (let round = 1; round <= rounds; round++) {
      await app.settled(id);
      const release = hold();
      const messages = Array.from({ length: crowd }, (_, index) => `${round}:${index}`);
      const answers = await Promise.all(messages.map(ask));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(crowd - 1);
      expect(refused.every(({ body }) => body.error === "interaction_not_in_terminal_state")).toBe(true);
      release();
      if (isLong) {
        const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
        process.stdout.write(`${round} rounds of ${crowd} in ${seconds} s, asked again ${busy} times\n`);
      } else expect(busy).toBe(0);
    }
    const { messages } = await app.settled(id);
    expect(messages).toHaveLength(2 + 2 * rounds);
  }, 3_600_000);

  it("S-16: a turn in flight ends though its agent is retired, and nothing new starts", async () => {
    await app.context.store.db
      .insertInto("agents")
      .values({
        id: "agent_gone",
        owner_id: "user_kim",
        name: "Gone",
        model_name: "local/fake",
        alias: null,
        team_id: null,
        description: null,
        system_prompt: null,
        folder_id: null,
      })
      .execute();
    const release = hold();
    const id = await idOf(app.start("Last words", { gummie_id: "agent_gone" }));
    const headers = { "x-auth-key": "user_kim" };
    expect((await app.call("kim", "PATCH", "/agents/agent_gone", { is_active: false }, headers)).status).toBe(
      200,
    );
    for (const more of [{}, { interaction_id: id }]) {
      const refused = await app.start("Hello?", { gummie_id: "agent_gone", ...more });
      expect(refused).toMatchObject({ status: 404, body: { error: "gummie_not_found" } });
    }
    release();
    expect(await app.settled(id)).toMatchObject({ state: "COMPLETED", response: "Done." });
    expect((await app.call("kim", "GET", "/agents/agent_gone")).status).toBe(404);
  });
});

describe("refusals of start_agent (§7.1), in their order", () => {
  const good = { gummie_id: "agent_kim", message: "Hi", user_id: "user_kim" };
  const rows: [string, "kim" | "lee" | "red" | null, object, number, string][] = [
    [
      "no credential",
      null,
      good,
      401,
      "Authorization header with Bearer token or api_key query parameter is required",
    ],
    ["no agent named", "kim", { ...good, gummie_id: undefined }, 400, "gummie_id is required"],
    ["no message", "kim", { ...good, message: undefined }, 400, "message is required"],
    [
      "neither user nor team",
      "kim",
      { ...good, user_id: undefined },
      400,
      "project_id or user_id is required",
    ],
    ["S-23: somebody else's user_id", "kim", { ...good, user_id: "user_lee" }, 403, "forbidden"],
    ["S-23: a team that one is not in", "kim", { ...good, project_id: "team_blue" }, 403, "forbidden"],
    [
      "S-23: a team key for somebody who is no member",
      "red",
      { ...good, user_id: "user_ada" },
      403,
      "forbidden",
    ],
    ["an agent that is not there", "kim", { ...good, gummie_id: "agent_none" }, 404, "gummie_not_found"],
    ["somebody else's agent", "kim", { ...good, gummie_id: "agent_lee" }, 403, "unauthorized_gummie_access"],
    [
      "a conversation that is not there",
      "kim",
      { ...good, interaction_id: "int_none" },
      404,
      "interaction_not_found",
    ],
  ];
  it.each(rows)("%s", async (_, key, body, status, error) => {
    const answer = await app.call(key, "POST", "/start_agent", body);
    expect(answer).toMatchObject({ status, body: { error } });
    expect(answer.body.message).toEqual(expect.any(String));
  });

  it("an invalid key is 403 Unauthorized", async () => {
    const response = await app.service.call("no-such-key-anywhere", "POST", "/start_agent", good);
    expect([response.status, await response.json()]).toMatchObject([403, { error: "Unauthorized" }]);
  });

  it("S-21: another person's conversation is 403, also with the wrong agent; one's own with the wrong agent is 400", async () => {
    const id = await idOf(app.start("Mine"));
    await app.settled(id);
    const lee = { user_id: "user_lee", interaction_id: id };
    const foreign = await app.start("Yours?", { ...lee, gummie_id: "agent_lee" }, "lee");
    expect(foreign).toMatchObject({ status: 403, body: { error: "unauthorized_interaction_access" } });
    const mismatch = await app.start("Other", { gummie_id: "agent_offline", interaction_id: id });
    expect(mismatch).toMatchObject({ status: 400, body: { error: "interaction_gummie_mismatch" } });
  });

  it("a conversation with project_id is the team's: every member may read and continue it, the other team may not", async () => {
    const team = { gummie_id: "agent_red", project_id: "team_red" };
    const id = await idOf(app.start("For all of us", team));
    await app.settled(id);
    const asLee = await app.start("Me too", { ...team, user_id: "user_lee", interaction_id: id }, "lee");
    expect(asLee.status).toBe(202);
    await app.settled(id);
    const byKey = await app.call("red", "GET", `/agent_status/${id}?project_id=team_red`);
    expect(byKey).toMatchObject({ status: 200, body: { state: "COMPLETED" } });
    const others = await app.call("blue", "GET", `/agent_status/${id}?project_id=team_blue`);
    expect(others).toMatchObject({ status: 404, body: { error: "interaction_not_found" } });
  });

  it("S-24: a personal conversation is hidden from the team's key and from other members", async () => {
    const id = await idOf(app.start("Private"));
    await app.settled(id);
    for (const [key, query] of [
      ["red", "project_id=team_red"],
      ["red", "project_id=team_red&user_id=user_kim"],
      ["lee", "user_id=user_lee"],
    ] as const) {
      expect((await app.call(key, "GET", `/agent_status/${id}?${query}`)).status).toBe(404);
    }
    expect((await app.call("kim", "GET", `/agent_status/${id}`)).status).toBe(400);
    expect(
      (await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim&user_id=user_lee`)).status,
    ).toBe(400);
  });
});
