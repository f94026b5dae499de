import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InboxSummary } from "../../contract/inbox.ts";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { answer, askedOnce, askingAgent } from "../../testing/approvals.ts";
import { addFlow, askedOnceByRun, startFlow } from "../../testing/asking-flows.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

/** A draft with one file whose cost is known. @returns its id */
async function aDraft(name: string, body: object = {}, words = 100): Promise<string> {
  const made = await app.call("kim", "POST", "/brain/sources", { name, require_approval: true, ...body });
  const { id } = made.body.source;
  await addFile(id, "notes.md", words);
  const status = async () => (await app.call("kim", "GET", `/brain/sources/${id}/estimate`)).body.estimate;
  await until(`${name} is read`, async () => (await status())?.status === "completed");
  return id;
}

async function addFile(source: string, file_name: string, words: number): Promise<void> {
  const file = { file_name, file_content: Buffer.from("harbour ".repeat(words)).toString("base64") };
  await app.call("kim", "POST", `/brain/sources/${source}/files`, { files: [file] });
}

async function inbox(query: string, key: KeyName = "kim"): Promise<InboxSummary[]> {
  const items: InboxSummary[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await app.call(
      key,
      "GET",
      `/inbox?page_size=2&${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return items;
}
const titles = async (query: string, key: KeyName = "kim") =>
  (await inbox(query, key)).map(({ title }) => title);
const count = async (key: KeyName) => (await app.call(key, "GET", "/inbox/count")).body.waiting;

describe("knowledge sources in the inbox", () => {
  it("wait among the questions by their age, for who may approve them, and stay with their answer", async () => {
    await addFlow(app, "flow_ask", `\n  ask: { type: approval, question: "Sail?" }\n`);
    const mine = await aDraft("Mine");
    const asks = await askedOnceByRun(app, await startFlow(app, "flow_ask"));
    const team = await aDraft("Of the team", { scope: "team", team_id: "team_red" });
    const all = await aDraft("Of all", { scope: "organization" });
    expect(await titles("")).toEqual(["Mine", "Sail?", "Of the team", "Of all"]);
    expect(await titles("mine=true")).toEqual(["Mine", "Sail?", "Of the team", "Of all"]);
    expect(await count("kim")).toBe(4);
    // Lee reads what is everyone's, and approves what is the team's.
    const seen = await inbox("", "lee");
    expect(seen.map(({ title, may_answer }) => [title, may_answer])).toEqual([
      ["Of the team", true],
      ["Of all", false],
    ]);
    expect(await titles("mine=true", "lee")).toEqual(["Of the team"]);
    expect([await count("lee"), await count("red"), await count("blue")]).toEqual([1, 1, 0]);
    expect(await titles(`run_id=${asks.run?.run_id}`)).toEqual(["Sail?"]);

    const one = await app.call("lee", "GET", `/inbox/${team}`);
    expect(one.body.item).toMatchObject({
      ...{ id: team, kind: "source", state: "waiting", title: "Of the team", lapses_at: null, answer: null },
      ...{ team: { id: "team_red" }, started_by: { id: "user_kim" }, may_answer: true, may_edit: false },
      ...{ tokens: 200, source: { scope: "team", estimated_credits: 0.2, document_count: 1 } },
      who: { rule: "operators", count: 2 },
    });
    expect((await app.call("lee", "GET", `/inbox/${mine}`)).status).toBe(404);
    expect((await answer(app, { id: team }, { answer: "approve" }, "lee")).body.error).toMatchObject({
      code: "invalid_body",
      param: "answer",
    });
    expect((await answer(app, { id: mine }, { answer: "approve" }, "lee")).status).toBe(404);

    await app.call("lee", "POST", `/brain/sources/${team}/approve`);
    await app.call("kim", "DELETE", `/brain/sources/${mine}`);
    expect(await titles("")).toEqual(["Sail?", "Of all"]);
    await answer(app, asks, { answer: "approve" });
    const answered = await inbox("state=answered");
    expect(answered.map(({ title }) => title)).toEqual(["Sail?", "Of the team"]);
    expect(answered[1]).toMatchObject({
      ...{ kind: "source", state: "approved", may_answer: false },
      answer: { answer: "approve", by: { id: "user_lee" }, reason: null },
    });
    expect(answered[1]?.answer?.took_ms).toBeGreaterThan(0);
    expect(await titles("state=answered&mine=true", "lee")).toEqual(["Of the team"]);
    await app.call("kim", "DELETE", `/brain/sources/${all}`);
  });

  it("are asked for again where nothing has changed, and not where one was approved", async () => {
    const id = await aDraft("Tides");
    const first = await app.call("kim", "GET", "/inbox");
    const tag = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await app.call("kim", "GET", "/inbox", undefined, tag)).status).toBe(304);
    await app.call("kim", "POST", `/brain/sources/${id}/approve`);
    expect((await app.call("kim", "GET", "/inbox", undefined, tag)).status).toBe(200);
  });
});

it("what has the most at stake comes first where that is asked for, page by page", async () => {
  const agent = await askingAgent(app);
  const ask = (text: string) =>
    askedOnce(app, `${text}\n/write_file ${JSON.stringify({ name: "a.txt", content: "Fair wind." })}`, {
      gummie_id: agent,
    });
  const { item: little } = await ask("Short.");
  const { item: much } = await ask("A long story of the sea. ".repeat(400));
  const source = await aDraft("Between", {}, 250);
  const spent = async ({ id }: { id: string }) =>
    (await app.call("kim", "GET", `/inbox/${id}`)).body.item.tokens;
  const { usage } = (await app.call("kim", "GET", `/sessions/${much.session?.id}`)).body.session;
  expect(await spent(much)).toBe(usage.input_tokens + usage.output_tokens);
  expect(await spent(little)).toBeGreaterThan(0);
  expect(await spent({ id: source })).toBe(500);
  const order = async (query: string) => (await inbox(query)).map(({ id }) => id);
  expect(await order("")).toEqual([little.id, much.id, source]);
  expect(await order("order=oldest")).toEqual([little.id, much.id, source]);
  expect(await order("order=dearest")).toEqual([much.id, source, little.id]);
  expect(await order("order=dearest&mine=true")).toEqual([much.id, source, little.id]);
  const { status, body } = await app.call("kim", "GET", "/inbox?order=newest");
  expect([status, body.error]).toMatchObject([400, { code: "invalid_parameter", param: "order" }]);
  const wrong = await app.call("kim", "GET", "/inbox?order=dearest&page_size=1");
  const other = await app.call("kim", "GET", `/inbox?cursor=${wrong.body.next_cursor}`);
  expect([other.status, other.body.error.code]).toEqual([400, "invalid_cursor"]);
});

it("are counted up to a thousand, of questions and sources together, with the one that has waited longest", async () => {
  const agent = await askingAgent(app);
  const message = '/write_file {"name":"a.txt","content":"Fair wind."}';
  const { item } = await askedOnce(app, message, { gummie_id: agent });
  await aDraft("Last of all");
  const counted = async () => (await app.call("kim", "GET", "/inbox/count")).body;
  const [oldest] = await inbox("mine=true");
  expect((await counted()).oldest_at).toBe(oldest?.asked_at);
  await sql`
    insert into approvals select (jsonb_populate_record(approvals, jsonb_build_object(
        'id', approvals.id || '_' || n, 'step_key', 'asked-' || n, 'asked_at', asked_at - interval '24 hours'))).*
      from approvals, generate_series(1, 1000) n where id = ${item.id}`.execute(app.context.store.db);
  const then = new Date(Date.parse(item.asked_at) - 86_400_000).toISOString();
  expect(await counted()).toEqual({ waiting: 1_000, oldest_at: then });
});

it("a source is estimated by all of its files together", async () => {
  const id = await aDraft("Two files", {}, 250);
  const estimate = async () => (await app.call("kim", "GET", `/brain/sources/${id}/estimate`)).body.estimate;
  expect((await estimate()).estimated_tokens).toBe(500);
  await addFile(id, "more.md", 100);
  await until("both are read", async () => {
    const { status, document_count } = await estimate();
    return status === "completed" && document_count === 2;
  });
  expect((await estimate()).estimated_tokens).toBe(700);
});
