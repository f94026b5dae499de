import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import { auditOf } from "../../testing/audit.ts";
import { tablesWith } from "../../testing/tables-with.ts";
import { until } from "../../testing/until.ts";
import { eraseDeleted } from "../agents/erase-conversations.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const text = (words: string) => ({ type: "text", text: words }) as const;
const writes = (content: string) =>
  ({
    type: "tools",
    text: "I write it down.",
    calls: [{ name: "write_file", args: JSON.stringify({ name: "log.txt", content }) }],
  }) as const;
const reads = {
  type: "tools",
  text: "",
  calls: [{ name: "read_file", args: '{"name":"log.txt"}' }],
} as const;

const session = async (id: string, key: KeyName = "kim") =>
  (await app.call(key, "GET", `/sessions/${id}`)).body.session;

const copy = (id: string, before: string, message: string, key: KeyName = "kim", headers: object = {}) =>
  app.call(
    key,
    "POST",
    `/interactions/${id}/copy`,
    { before_message_id: before, message },
    { ...asOwner(key), ...headers },
  );

/** Three turns: the file is written, written anew, and spoken of. */
async function talked(body: Readonly<Record<string, unknown>> = {}): Promise<string> {
  app.model.next(
    writes("Fair wind."),
    text("Written."),
    writes("A storm."),
    text("Written anew."),
    text("No."),
  );
  const id: string = (await app.start("Write the log", body)).body.interaction_id;
  await app.settled(id);
  for (const message of ["Write it anew", "Is there more?"]) {
    expect((await app.start(message, { ...body, interaction_id: id })).status).toBe(202);
    await app.settled(id);
  }
  return id;
}

const userMessages = async (id: string): Promise<{ id: string; content: string }[]> =>
  (await session(id)).messages.filter(({ role }: { role: string }) => role === "user");

/** The bytes of the file that a message's part links to. */
async function fileOf(message: { parts: { type: string; file?: { artifact_url: string } }[] }) {
  const url = message.parts.find(({ type }) => type === "file")?.file?.artifact_url ?? "";
  return await (await fetch(new URL(url, app.service.url))).text();
}

describe("going on from before a message as a copy", () => {
  it("S-220: holds the turns before it with calls and files as they were, and does nothing of them again", async () => {
    const id = await talked();
    const before = await session(id);
    const [, second] = await userMessages(id);
    const asked = app.model.calls.length;
    app.model.next(reads, text("It says so."));
    const made = await copy(id, second?.id ?? "", "What does the log say?");
    expect([made.status, made.body.status]).toEqual([202, "processing"]);
    const other: string = made.body.interaction_id;
    await app.settled(other);
    // Asked twice, of this turn alone: with all that came before it.
    expect(app.model.calls.length - asked).toBe(2);
    expect(JSON.stringify(app.model.calls.at(-1))).toContain("Fair wind.");
    expect(JSON.stringify(app.model.calls.at(-1))).not.toContain("A storm.");
    const now = await session(other);
    expect(now.messages.map(({ content }: { content: string }) => content)).toEqual([
      ...["Write the log", "Written.", "What does the log say?", "It says so."],
    ]);
    const [question, answer] = now.messages;
    const [wasQuestion, wasAnswer] = before.messages;
    expect(question).toEqual({ ...wasQuestion, id: question.id });
    expect({ ...answer, parts: [] }).toEqual({ ...wasAnswer, id: answer.id, parts: [] });
    expect(answer.parts.map(({ type }: { type: string }) => type)).toEqual([
      "text",
      "tool_invocation",
      "file",
      "text",
    ]);
    expect(answer.parts[1]).toEqual(wasAnswer.parts[1]);
    expect([question.id, answer.id]).not.toEqual([wasQuestion.id, wasAnswer.id]);
    expect(await fileOf(answer)).toBe("Fair wind.");
    // What was taken over is not paid for a second time.
    expect(now.usage.input_tokens).toBeLessThan(before.usage.input_tokens);
    expect(await auditOf(app.context, "conversation.copy")).toMatchObject([
      { object_id: other, user_id: "user_kim", credential_kind: "personal" },
    ]);
  });

  it("S-220: has files of its own, which neither conversation changes or loses for the other", async () => {
    const id = await talked();
    const third = (await userMessages(id))[2];
    app.model.next(writes("Calm."), text("Done."));
    const { body } = await copy(id, third?.id ?? "", "Write once more");
    await app.settled(body.interaction_id);
    const list = async (of: string) =>
      (await app.call("kim", "GET", `/agents/agent_kim/artifacts?session_id=${of}`)).body.artifacts;
    const [mine] = await list(body.interaction_id);
    const [theirs] = await list(id);
    expect([mine.filename, mine.major_version, theirs.major_version]).toEqual(["log.txt", 3, 2]);
    expect(
      (await app.call("kim", "DELETE", `/artifacts/${theirs.id}`, undefined, asOwner("kim"))).status,
    ).toBe(200);
    const { messages } = await session(body.interaction_id);
    expect(await Promise.all([messages[1], messages[3], messages[5]].map(fileOf))).toEqual([
      ...["Fair wind.", "A storm.", "Calm."],
    ]);
    // What was deleted is not brought back by a copy: its link is as dead as in the original.
    app.model.next(text("Gone."));
    const late = await copy(id, third?.id ?? "", "And now?");
    await app.settled(late.body.interaction_id);
    expect(await list(late.body.interaction_id)).toEqual([]);
  });

  it("knows its original, and the original knows it, also from before the first message", async () => {
    const id = await talked();
    const [first] = await userMessages(id);
    app.model.next(text("Hello."));
    const { body } = await copy(id, first?.id ?? "", "Another beginning");
    await app.settled(body.interaction_id);
    const now = await session(body.interaction_id);
    expect(now).toMatchObject({
      name: "Another beginning",
      copy_of: {
        turns: 0,
        session: { id, agent_id: "agent_kim", name: "Write the log" },
        message_id: first?.id,
      },
      copies: [],
    });
    expect(now.messages).toHaveLength(2);
    expect(await session(id)).toMatchObject({
      copy_of: null,
      copies: [{ id: body.interaction_id, agent_id: "agent_kim", turns: 0 }],
    });
    // A copy that is deleted is named no more, also to who read the original before; of an original that is erased only that
    // there was one.
    const read = (tag: string | null) =>
      app.call("kim", "GET", `/sessions/${id}`, undefined, tag === null ? {} : { "if-none-match": tag });
    const { headers } = await read(null);
    expect((await read(headers.get("etag"))).status).toBe(304);
    await app.call("kim", "DELETE", `/interactions/${body.interaction_id}`);
    const without = await read(headers.get("etag"));
    expect([without.status, without.body?.session.copies]).toEqual([200, []]);
    await app.call("kim", "POST", `/interactions/${body.interaction_id}/restore`);
    expect((await read(without.headers.get("etag"))).body?.session.copies).toHaveLength(1);
    await app.call("kim", "DELETE", `/interactions/${id}`);
    expect((await session(body.interaction_id)).copy_of).toEqual({
      turns: 0,
      session: null,
      message_id: null,
    });
  });

  it("goes on while the original works, from before the turn that is under way, and is copied itself", async () => {
    let finish: () => void = () => {};
    const isFinished = new Promise<void>((done) => {
      finish = done;
    });
    app.model.next(text("One."), { type: "held", until: isFinished, answer: text("Two.") });
    const id: string = (await app.start("First")).body.interaction_id;
    await app.settled(id);
    const calls = app.model.calls.length;
    await app.start("Second", { interaction_id: id });
    await until("the model at work", () => app.model.calls.length > calls);
    const second = (await userMessages(id))[1];
    app.model.next(text("Three."), text("Four."));
    const { body } = await copy(id, second?.id ?? "", "Instead");
    expect((await app.settled(body.interaction_id)).response).toBe("Three.");
    finish();
    expect((await app.settled(id)).response).toBe("Two.");
    const instead = (await userMessages(body.interaction_id))[1];
    const again = await copy(body.interaction_id, instead?.id ?? "", "Once more");
    await app.settled(again.body.interaction_id);
    const { messages } = await session(again.body.interaction_id);
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      "First",
      "One.",
      "Once more",
      "Four.",
    ]);
    // When the first turn began and ended is known through both copies.
    expect(messages[1].finished_at).toBe((await session(id)).messages[1].finished_at);
    expect(messages[1].finished_at).toEqual(expect.any(String));
  });

  it("is the same for the same key, and refuses what is no message of a person in it", async () => {
    const id = await talked();
    const { messages } = await session(id);
    app.model.next(text("Once."));
    const key = { "Idempotency-Key": `copy ${id}`.replace(" ", "-") };
    const twice = [1, 2].map(() => copy(id, messages[2].id, "Once", "kim", key));
    const [one, other] = await Promise.all(twice);
    expect(one?.body).toEqual(other?.body);
    await app.settled(one?.body.interaction_id);
    expect((await session(id)).copies).toHaveLength(1);
    for (const before of [messages[1].id, "msg_nowhere"]) {
      const refused = await copy(id, before, "No");
      expect([refused.status, refused.body.error.param]).toEqual([400, "before_message_id"]);
    }
  });

  it("S-221: is nobody's who may not continue the original, and stays in its team", async () => {
    const id = await talked();
    const [first] = await userMessages(id);
    expect((await copy(id, first?.id ?? "", "Mine now", "lee")).status).toBe(404);
    const team = { gummie_id: "agent_red", project_id: "team_red" };
    const ofTeam: string = (await app.start("For all", team)).body.interaction_id;
    await app.settled(ofTeam);
    const [asked] = await userMessages(ofTeam);
    const made = await copy(ofTeam, asked?.id ?? "", "For us", "lee");
    expect(made.status).toBe(202);
    await app.settled(made.body.interaction_id);
    expect(await session(made.body.interaction_id, "kim")).toMatchObject({ creator: { id: "user_lee" } });
    expect((await app.call("blue", "GET", `/sessions/${made.body.interaction_id}`)).status).toBe(404);
  });

  it("S-222: keeps its words when the original is erased, and has none left when it is erased itself", async () => {
    const word = "Zanzibarische";
    app.model.next(writes("Fair wind."), text(`${word} Antwort`));
    const id: string = (await app.start(`${word} Frage`)).body.interaction_id;
    await app.settled(id);
    app.model.next(text("Two."));
    await app.start("Second", { interaction_id: id });
    await app.settled(id);
    app.model.next(text("Stays."));
    const { body } = await copy(id, (await userMessages(id))[1]?.id ?? "", "I stay");
    await app.settled(body.interaction_id);
    await erased(id);
    const { messages } = await session(body.interaction_id);
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      ...[`${word} Frage`, `${word} Antwort`, "I stay", "Stays."],
    ]);
    expect(await fileOf(messages[1])).toBe("Fair wind.");
    await erased(body.interaction_id);
    expect(await tablesWith(app.context.store.db, word)).toEqual([]);
  });
});

/** Deletes a conversation a day ago, and erases it. */
async function erased(id: string): Promise<void> {
  expect((await app.call("kim", "DELETE", `/interactions/${id}`)).status).toBe(204);
  const { store } = app.context;
  await store.db
    .updateTable("interactions")
    .set({ deleted_at: new Date(Date.now() - 25 * 3_600_000) })
    .where("id", "=", id)
    .execute();
  expect(await eraseDeleted(store)).toBe(1);
}
