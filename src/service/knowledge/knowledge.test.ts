import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { makePdf, type PdfPage, twoColumns } from "../../testing/pdf.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";
import type { Highlight } from "./highlights.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  const tools = toJson([{ type: "search_knowledge" }]);
  await app.context.store.db
    .updateTable("agents")
    .set({ tools })
    .where("id", "in", ["agent_offline", "agent_red"])
    .execute();
});
afterAll(() => app.stop());

type File = readonly [name: string, content: string | Uint8Array];

async function makeSource(body: object, key: KeyName = "kim"): Promise<string> {
  const answer = await app.call(key, "POST", "/brain/sources", {
    name: "Rules",
    require_approval: true,
    ...body,
  });
  expect(answer.status).toBe(200);
  return answer.body.source.id;
}

async function send(id: string, files: readonly File[], key: KeyName = "kim") {
  return app.call(key, "POST", `/brain/sources/${id}/files`, {
    files: files.map(([file_name, content]) => ({
      file_name,
      file_content: Buffer.from(content).toString("base64"),
    })),
  });
}

const estimateOf = async (id: string, key: KeyName = "kim") =>
  (await app.call(key, "GET", `/brain/sources/${id}/estimate`)).body.estimate;

/** Waits until no file is being read. */
async function settled(id: string, key: KeyName = "kim") {
  await until(`${id} is read`, async () => (await estimateOf(id, key)).status !== "running");
  return (await app.call(key, "GET", `/brain/sources/${id}`)).body.source;
}

const approve = (id: string, key: KeyName = "kim") => app.call(key, "POST", `/brain/sources/${id}/approve`);

async function search(query: string, body: object = {}, key: KeyName = "kim") {
  return (await app.call(key, "POST", "/brain/search", { query, ...body })).body.results;
}

/** A source that is active, with one file of text. */
async function indexed(text: string, body: object = {}): Promise<string> {
  const id = await makeSource({ require_approval: false, ...body });
  await send(id, [["notes.md", text]]);
  await settled(id);
  return id;
}

const filler = (page: number, side: string) =>
  Array.from({ length: 50 }, (_, row) => `Page ${page} ${side} ${row}: ropes, fenders and tides as ever.`);

/** Sixty pages of two columns, drawn row by row; a sentence of page 57 is broken over lines and columns. */
function handbook(): Buffer {
  const pages = Array.from({ length: 60 }, (_, index): PdfPage => {
    const page = index + 1;
    const [left, right] = [filler(page, "left"), filler(page, "right")];
    if (page === 57) {
      left.splice(48, 2, "After dusk every vessel above nine me-", "tres shows a white lan-");
      right.splice(0, 2, "tern at the stern, says the harbour-", "master of Quillhaven.");
    }
    return twoColumns([left, right], `Harbour handbook, page ${page}`);
  });
  return makePdf(pages, { compress: true });
}

describe("a PDF of two columns (the way from a draft to an answer)", () => {
  it("is estimated, approved, indexed, and a sentence of page 57 is found with its page, by people, agents and flows", async () => {
    const id = await makeSource({ name: "Harbour handbook" });
    const { body } = await send(id, [["handbook.pdf", handbook()]]);
    expect(body).toMatchObject({
      rejected: [],
      files: [{ file_name: "handbook.pdf", status: "estimating" }],
    });
    const draft = await settled(id);
    expect(draft).toMatchObject({ status: "draft", document_count: 1, indexed_count: 0, charged_credits: 0 });
    const estimate = await estimateOf(id);
    expect(estimate).toMatchObject({ status: "completed", document_count: 1 });
    expect(estimate.estimated_tokens).toBeGreaterThan(60_000);
    expect(estimate.estimated_credits).toBe(draft.estimated_credits);
    const question = "vessel above nine metres shows a white lantern at the stern";
    expect(await search(question)).toEqual([]);

    expect((await approve(id)).body.source).toMatchObject({
      id,
      status: "active",
      approved_by: { id: "user_kim" },
    });
    const source = await settled(id);
    expect(source).toMatchObject({ indexed_count: 1, charged_credits: estimate.estimated_credits });
    expect(source.files).toMatchObject([{ status: "indexed", page_count: 60, error: null }]);

    const [best] = await search(question);
    const [file] = source.files;
    expect(best).toMatchObject({
      ...{ document_id: file.id, source: "direct_file_uploads", title: "handbook.pdf" },
      url: `${app.service.url}/knowledge/${id}?file=${file.id}&page=57`,
      metadata: { page: 57, source_id: id, source_name: "Harbour handbook", file_name: "handbook.pdf" },
    });
    expect(best.content).toMatch(/nine metres shows a white lantern at the stern, says the harbourmaster of/);
    const [mark] = best.metadata.marks.filter(
      ({ end, start }: { end: number; start: number }) => end - start > 20,
    );
    expect(best.content.slice(mark.start, mark.end)).toMatch(/nine metres shows a white lantern/);
    expect((await search('"white lantern at the stern"'))[0].metadata.page).toBe(57);
    expect((await search("harbour-master Quillhaven"))[0].metadata.page).toBe(57);
    expect(await search('"white lantern at the stern" -quillhaven')).toEqual([]);
    const opened = await fetch(best.metadata.file_url);
    expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(Buffer.from(await opened.arrayBuffer()).equals(handbook())).toBe(true);

    const message = `/search_knowledge ${JSON.stringify({ query: question, limit: 1 })}`;
    const { body: turn } = await app.start(message, { gummie_id: "agent_offline" });
    const { messages } = await app.settled(turn.interaction_id);
    const call = messages[1].parts.find(({ type }: { type: string }) => type === "tool_invocation");
    expect(call.toolCallState).toBe("completed");
    expect(call.result.result.passages).toMatchObject([
      { source: "Harbour handbook", file: "handbook.pdf", page: 57, link: best.url, passage: best.content },
    ]);
  }, 300_000);
});

describe("approving", () => {
  it("S-15: a hundred times at once happens once, is paid once, and starts one indexing", async () => {
    const id = await makeSource({});
    await send(id, [["a.txt", "Speed is five knots. ".repeat(100)]]);
    const { estimated_credits } = await settled(id);
    expect(estimated_credits).toBeGreaterThan(0);
    const answers = await Promise.all(Array.from({ length: 100 }, () => approve(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(99);
    expect(refused[0]?.body.error.code).toBe("source_not_draft");
    const { db } = app.context.store;
    const credits = await db.selectFrom("credits").selectAll().where("source_id", "=", id).execute();
    expect(credits).toMatchObject([{ amount: estimated_credits, kind: "approval", user_id: "user_kim" }]);
    expect((await settled(id)).indexed_count).toBe(1);
    const runs = await db.selectFrom("executions").select("id").where("subject_id", "=", id).execute();
    // The one that estimated, which has gone on to index.
    expect(runs).toHaveLength(1);
    expect(credits[0]?.execution_id).toBe((await estimateOf(id)).sync_run_id);
  });

  it("while files are still being read charges what is known, and the rest as it is indexed: each file once", async () => {
    const id = await makeSource({});
    await send(
      id,
      Array.from({ length: 20 }, (_, i): File => [`${i}.md`, `Note ${i}. ${"word ".repeat(400 + i)}`]),
    );
    expect((await approve(id)).status).toBe(200);
    const source = await settled(id);
    expect(source).toMatchObject({ document_count: 20, indexed_count: 20 });
    const costs = source.files.reduce((sum: number, { credits }: { credits: number }) => sum + credits, 0);
    expect(source.charged_credits).toBeCloseTo(costs, 6);
  });
});

describe("files", () => {
  it("that come later are indexed without another approval, and cost; the same content again does not", async () => {
    const id = await indexed("The beacon of Marrowby is green.");
    const first = await settled(id);
    expect(first.charged_credits).toBeGreaterThan(0);
    await send(id, [["notes.md", "The beacon of Marrowby is green."]]);
    expect((await settled(id)).charged_credits).toBe(first.charged_credits);
    await send(id, [
      ["notes.md", "The beacon of Marrowby is red."],
      ["more.txt", "Tides turn at six."],
    ]);
    const later = await settled(id);
    expect(later).toMatchObject({
      document_count: 2,
      indexed_count: 2,
      charged_credits: first.charged_credits + 0.02,
    });
    const found = await search("beacon Marrowby");
    expect(found.map(({ content }: { content: string }) => content)).toEqual([
      "The beacon of Marrowby is red.",
    ]);
  });

  it("that cannot be taken or read say why, each for itself", async () => {
    const id = await makeSource({ require_approval: false });
    const { body } = await app.call("kim", "POST", `/brain/sources/${id}/files`, {
      files: [
        { file_name: "good.md", file_content: Buffer.from("# Fog\nSound the horn.").toString("base64") },
        { file_name: "good.md", file_content: Buffer.from("twice").toString("base64") },
        { file_name: "not64.md", file_content: "%%%" },
        { file_name: "../up.md", file_content: "YQ==" },
        { file_name: "boat.exe", file_content: "TVo=" },
        { file_name: "empty.txt", file_content: "" },
        { file_name: "broken.pdf", file_content: Buffer.from("%PDF-1.7 nothing").toString("base64") },
        { file_name: "locked.pdf", file_content: makePdf([[]], { encrypted: true }).toString("base64") },
      ],
    });
    const rejected = body.rejected.map(({ file_name }: { file_name: string }) => file_name);
    expect(rejected.sort()).toEqual(["../up.md", "boat.exe", "empty.txt", "good.md", "not64.md"]);
    const { files, failed_count } = await settled(id);
    expect(failed_count).toBe(2);
    const byName = Object.fromEntries(files.map((file: { file_name: string }) => [file.file_name, file]));
    expect(byName["good.md"]).toMatchObject({ status: "indexed", error: null });
    expect(byName["broken.pdf"]).toMatchObject({ status: "failed", error: expect.stringMatching(/damaged/) });
    expect(byName["locked.pdf"]).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/encrypted/),
    });
    expect((await search("sound the horn"))[0].metadata).toMatchObject({ section: "Fog", page: null });
  });

  it("of HTML are found by what people read in them", async () => {
    const id = await makeSource({ require_approval: false });
    await send(id, [
      ["fees.html", "<h2>Fees</h2><script>var zzyzx</script><p>Each <i>night</i> costs 12 crowns.</p>"],
    ]);
    await settled(id);
    expect((await search("crowns each night"))[0].metadata).toMatchObject({ section: "Fees" });
    expect(await search("zzyzx")).toEqual([]);
  });
});

describe("texts without spaces between their words", () => {
  it.each([
    ["Japanese", "東京都の天気は晴れです。夜は霧が出ます。", "天気", "東京都 霧", "大雪"],
    ["Chinese", "港口的灯塔每晚七点亮起，周末除外。", "灯塔", "周末 七点", "火车"],
    ["Thai", "ท่าเรือเปิดตอนเช้าและปิดตอนเย็น", "ตอนเช้า", "ปิด ท่าเรือ", "รถไฟ"],
  ])("in %s are found by any of their words", async (_, text, word, words, other) => {
    await indexed(text);
    for (const question of [word, words, `"${word}"`])
      expect((await search(question)).map(({ content }: { content: string }) => content)).toEqual([text]);
    expect(await search(other)).toEqual([]);
    const [{ content, metadata }] = await search(word);
    const marked = metadata.marks.map(({ start, end }: Highlight) => content.slice(start, end));
    expect(marked).toEqual([word]);
  });

  it("are left out by a word with a minus before it", async () => {
    await indexed("横浜市から大阪府へ行く船。");
    expect(await search("横浜")).toHaveLength(1);
    for (const signs of ["横浜 -大阪府", '"横浜市" -大阪府']) expect(await search(signs)).toEqual([]);
    expect(await search("横浜 -京都府")).toHaveLength(1);
  });

  it("are found by a single letter", async () => {
    await indexed("彼は犬を飼っている。");
    expect(await search("犬")).toMatchObject([{ content: "彼は犬を飼っている。" }]);
  });
});

describe("who may search what", () => {
  it("one's own, one's teams', and the organization's; by people, team keys, turns and runs alike", async () => {
    await indexed("Okapi of Kim alone.");
    await indexed("Okapi of team red.", { scope: "team", team_id: "team_red" });
    await indexed("Okapi of everybody.", { scope: "organization" });
    await makeSource({ name: "A draft of Kim's" });
    const all = async (key: KeyName) =>
      (await search("okapi", {}, key)).map(({ content }: { content: string }) => content.slice(9)).sort();
    expect(await all("kim")).toEqual(["Kim alone.", "everybody.", "team red."]);
    expect(await all("lee")).toEqual(["everybody.", "team red."]);
    expect(await all("red")).toEqual(["team red."]);
    expect(await all("blue")).toEqual([]);
    const turn = async (body: Readonly<Record<string, unknown>>) => {
      const answer = await app.start('/search_knowledge {"query": "okapi", "limit": 20}', body);
      const { messages } = await app.settled(answer.body.interaction_id);
      const [part] = messages[1].parts.filter(({ type }: { type: string }) => type === "tool_invocation");
      return part.result.result.passages.map(({ passage }: { passage: string }) => passage.slice(9)).sort();
    };
    expect(await turn({ gummie_id: "agent_offline" })).toEqual(["Kim alone.", "everybody.", "team red."]);
    // Every member reads what is said for the team.
    expect(await turn({ gummie_id: "agent_red", project_id: "team_red" })).toEqual([
      "everybody.",
      "team red.",
    ]);
  });

  it("an agent that names sources searches those alone", async () => {
    const id = await indexed("Narwhal one.");
    await indexed("Narwhal two.");
    const { db } = app.context.store;
    const tools = toJson([{ type: "search_knowledge", source_ids: [id] }]);
    await db.updateTable("agents").set({ tools }).where("id", "=", "agent_offline").execute();
    const { body } = await app.start('/search_knowledge {"query": "narwhal"}', {
      gummie_id: "agent_offline",
    });
    const { response } = await app.settled(body.interaction_id);
    expect(response).toContain("Narwhal one.");
    expect(response).not.toContain("Narwhal two.");
    expect(await search("narwhal", { source_ids: [id] })).toHaveLength(1);
    expect(await search("narwhal", { source_type: ["notion"] })).toEqual([]);
  });

  it("a person has at most a hundred drafts and sources without files; using one makes room, others have their own", async () => {
    const { db } = app.context.store;
    const mine = await makeSource({ name: "Mine" }, "lee");
    const { count } = await db
      .selectFrom("knowledge_sources")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("created_by_user_id", "=", "user_lee")
      .executeTakeFirstOrThrow();
    const room = 100 - Number(count);
    const make = (require_approval: boolean) =>
      app.call("lee", "POST", "/brain/sources", { name: "One more", require_approval });
    const made = await Promise.all(Array.from({ length: room + 5 }, (_, at) => make(at % 2 === 0)));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(room);
    const refused = made.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.error.code]).toEqual([409, "too_many_drafts"]);
    expect(refused?.body.error.message).toMatch(/100/);
    await makeSource({ name: "Of another" }, "kim");
    await send(mine, [["a.txt", "Ropes."]], "lee");
    await settled(mine, "lee");
    expect((await make(true)).status).toBe(409);
    expect((await approve(mine, "lee")).status).toBe(200);
    expect((await make(true)).status).toBe(200);
  });

  it("sources are listed, read, approved and filled by the same rules", async () => {
    const id = await makeSource({ scope: "organization" });
    const status = async (key: KeyName, method: string, path: string, body?: object) =>
      (await app.call(key, method, path, body)).status;
    expect(await status("lee", "GET", `/brain/sources/${id}`)).toBe(200);
    expect(await status("red", "GET", `/brain/sources/${id}/estimate`)).toBe(404);
    expect((await approve(id, "lee")).status).toBe(403);
    expect((await send(id, [["a.txt", "a"]], "lee")).status).toBe(403);
    expect((await send(id, [["a.txt", "a"]], "red")).status).toBe(404);
    expect(await status("lee", "POST", "/brain/sources", { name: "x", scope: "team" })).toBe(400);
    expect(
      await status("kim", "POST", "/brain/sources", { name: "x", scope: "team", team_id: "team_blue" }),
    ).toBe(403);
    expect(await status("red", "POST", "/brain/sources", { name: "x" })).toBe(403);
    const list = async (key: KeyName, query: string) =>
      (await app.call(key, "GET", `/brain/sources${query}`)).body.sources.map(
        (source: { id: string }) => source.id,
      );
    expect(await list("lee", "?scope=organization&page_size=1")).toEqual([id]);
    expect(await list("red", "?scope=organization")).toEqual([]);
  });
});

describe("a question", () => {
  it.each([
    "'",
    "\\",
    "a & | ! ( ) :*",
    '"',
    '"open',
    "-",
    "''\\'' or",
    "\u0001",
    "🦆",
    "x".repeat(5_000),
    "http://a.b/?c=1&d='2'",
  ])("of hostile signs is only words: %j", async (query) => {
    expect((await app.call("kim", "POST", "/brain/search", { query })).status).toBe(200);
  });

  it.each(["-okapi", "-okapi -narwhal", "okapi or -narwhal", '-"two words"', "-the"])(
    "that only says what to leave out is refused with a word about it, and reads no passage: %s",
    async (query) => {
      const { status, body } = await app.call("kim", "POST", "/brain/search", { query });
      expect([status, body.error.code, body.error.param]).toEqual([400, "invalid_body", "query"]);
      expect(body.error.message).toMatch(/needs a word to look for/);
      const turn = await app.start(`/search_knowledge ${JSON.stringify({ query })}`, {
        gummie_id: "agent_red",
        project_id: "team_red",
      });
      expect((await app.settled(turn.body.interaction_id)).response).toMatch(/needs a word to look for/);
    },
  );

  it("finds what its words ask for and nothing else, also where English has no such word", async () => {
    await indexed("The walrus swims.", { name: "Walrus" });
    await indexed("Seals swim too.", { name: "Seals" });
    const found = (await search("the -okapi", { limit: 100 })).map((one: { content: string }) => one.content);
    expect(found).toContain("The walrus swims.");
    expect(found).not.toContain("Seals swim too.");
  });

  it("finds what holds all of its words first, then what holds some; words of English by their stems", async () => {
    await indexed("Mooring buoys were inspected yesterday by the pilots.", { name: "A" });
    await indexed("The pilots sleep.", { name: "B" });
    const found = await search("When did pilots inspect the mooring buoy?");
    expect(found[0].content).toMatch(/inspected/);
    expect(found.map(({ content }: { content: string }) => content)).toContain("The pilots sleep.");
  });
});
