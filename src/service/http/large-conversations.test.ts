import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasBegun, largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { type Said, type StoredConversation, storeConversation } from "../../testing/stored-conversation.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, askOnly, countReads, readAsTaken } = largeAnswers(() => service);

/** A conversation of Ada's as it lies in the database, with its two addresses. */
async function addConversation(id: string, conversation: Pick<StoredConversation, "said" | "state">) {
  await storeConversation(pool(), id, { userId: "user_ada", ...conversation });
  return { session: `/sessions/${id}`, status: `/agent_status/${id}?user_id=user_ada` };
}

const awkward = ['a "quote" \\', "\t\n", "línea ✓ 🙂", "x".repeat(3_000)];
const text = (at: number) => `${at} ${awkward[at % awkward.length]}`;

const isRead = (query: unknown): query is { readonly text: string; readonly values: unknown[] } =>
  typeof query === "object" && query !== null && "name" in query && query.name === "conversation_rows";

/** So many turns, with a part or two in each answer. */
const turns = (count: number): Said[] =>
  Array.from({ length: count }, (_, at) => [
    { content: text(at) },
    {
      content: text(at + 1),
      parts: [
        { id: "text-1", type: "text", text: text(at + 2) },
        { id: "text-2", type: "text", text: "more" },
      ],
    },
  ]).flat();

const shown = (said: readonly Said[]) =>
  said.map(({ content, parts = [] }, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content,
    parts,
  }));

describe("a long conversation", () => {
  test("S-251: is answered whole, to each encoding, with the tag and 304 of a short one", async () => {
    const said = turns(150);
    const { session, status } = await addConversation("int_long", { said });
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(session, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      expect(answer.headers.get("content-encoding")).toBe(encoding === "identity" ? null : "gzip");
      expect(await answer.json()).toMatchObject({
        session: { id: "int_long", state: "completed", kept: false, copies: [], messages: shown(said) },
      });
      const short = await get(status, { "accept-encoding": encoding });
      expect(short.headers.get("content-length")).toBeNull();
      expect(await short.json()).toMatchObject({
        ...{ interaction_id: "int_long", state: "COMPLETED", response: said.at(-1)?.content },
        messages: shown(said),
      });
    }
    for (const address of [session, status]) {
      const head = await get(address, {}, "HEAD");
      const etag = head.headers.get("etag") ?? "";
      expect([head.status, etag, await head.text()]).toEqual([200, expect.stringMatching(/^W\/"/), ""]);
      expect((await get(address, { "if-none-match": etag })).status).toBe(304);
    }
  });

  test("S-251: says how it failed, and shows what is said so far while the agent works", async () => {
    const said = turns(150);
    const { status } = await addConversation("int_failed", { said, state: "failed" });
    expect(await (await get(status)).json()).toMatchObject({
      ...{ state: "FAILED", error_message: "It broke.", messages: shown(said) },
    });
    const going = await addConversation("int_going", { said: said.slice(0, -1), state: "processing" });
    const { session } = await (await get(going.session)).json();
    expect(session.messages).toHaveLength(299);
    expect(await (await get(going.status)).json()).not.toHaveProperty("messages");
  });

  test("S-251: of messages that are longer than one may be by now is answered whole", async () => {
    const long = '🙂é"'.repeat(200_000);
    const said: Said[] = [
      { content: long },
      { content: long, parts: [{ id: "text-1", type: "text", text: "short" }] },
      { content: "" },
      { content: null, parts: [{ id: "error", type: "error", error: "It broke." }] },
    ];
    const { session } = await addConversation("int_texts", { said });
    expect((await (await get(session)).json()).session.messages).toMatchObject(shown(said));
    const { status } = await addConversation("int_text", { said: said.slice(0, 2) });
    expect((await (await get(status)).json()).response).toBe(long);
    const silent = await addConversation("int_silent", { said: [...said.slice(0, 3), { content: null }] });
    expect((await (await get(silent.status)).json()).response).toBe("");
  });

  test("S-251: is read from the database only as fast as the client takes it", async () => {
    const said = Array.from({ length: 200 }, () => ({ content: "y".repeat(150_000) }));
    const { session, status } = await addConversation("int_huge", { said });
    for (const address of [session, status]) await readAsTaken(address, '"conversation_', 100);
  });

  test("S-251: is read without unpacking more of its parts than one read gives", async () => {
    const parts = Array.from({ length: 300 }, (_, at) => ({
      ...{ id: `text-${at}`, type: "text", text: randomBytes(60_000).toString("base64") },
    }));
    const said = [{ content: "How long?" }, { content: "Very.", parts }];
    const { session } = await addConversation("int_parts", { said });
    const asked = vi.spyOn(pool(), "query");
    expect((await (await get(session)).json()).session.messages).toMatchObject(shown(said));
    const reads = asked.mock.calls.flatMap(([query]) => (isRead(query) ? [query] : []));
    vi.restoreAllMocks();
    expect(reads.length).toBeGreaterThan(100);
    const [first] = reads;
    const { rows } = await pool().query(
      `explain (analyze, buffers, format json) ${first?.text}`,
      first?.values,
    );
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    // A part has ten pages and more; each page that is looked at counts.
    expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(1_000);
  });

  test("S-251: that is asked for thirty times at once goes out twenty times at a time", async () => {
    const said = Array.from({ length: 110 }, () => ({ content: "z".repeat(150_000) }));
    const { session } = await addConversation("int_many", { said });
    const sockets = await Promise.all(Array.from({ length: 30 }, () => askOnly(session)));
    const begun = () => sockets.filter(hasBegun);
    await until("their first bytes", () => begun().length === 20);
    const short = await addConversation("int_short", { said: turns(1) });
    expect((await get(short.session)).status).toBe(200);
    expect(begun()).toHaveLength(20);
    for (const socket of begun()) socket.destroy();
    await until("those who waited", () => begun().length === 30);
    for (const socket of sockets) socket.destroy();
  });

  test("S-251: that is removed while it is read is cut off, and never looks like a shorter one", async () => {
    const said = Array.from({ length: 100 }, () => ({ content: "z".repeat(150_000) }));
    const { session } = await addConversation("int_removed", { said });
    const answer = await get(session, { "accept-encoding": "identity" });
    await pool().query("delete from messages where interaction_id = 'int_removed'");
    await expect(answer.text()).rejects.toThrow();
    const going = await addConversation("int_half", { said });
    const reads = countReads('"conversation_');
    const other = await get(going.session, { "accept-encoding": "identity" });
    // The first read is the one that shows that it is long.
    await until("its first rows", () => reads() > 1);
    await pool().query("delete from messages where interaction_id = 'int_half'");
    await expect(other.text()).rejects.toThrow();
    vi.restoreAllMocks();
  });
});

test("a short conversation is read at once, and has its length", async () => {
  const said = turns(3);
  const { session } = await addConversation("int_three", { said });
  const reads = countReads('"conversation_');
  const answer = await get(session, { "accept-encoding": "identity" });
  expect(reads()).toBe(1);
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect((await answer.json()).session.messages).toMatchObject(shown(said));
  vi.restoreAllMocks();
});
