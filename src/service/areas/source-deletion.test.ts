import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { changedMeanwhile } from "../../testing/held-row.ts";
import { until } from "../../testing/until.ts";
import { purgeDeleted } from "../files/purge-deleted.ts";
import { readContent, writeIndex } from "../knowledge/file-rows.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

async function make(body: object = {}, texts: readonly string[] = ["The narwhal sleeps at noon."]) {
  const made = await app.call("kim", "POST", "/brain/sources", { name: "Rules", ...body });
  const { id } = made.body.source;
  await send(id, texts);
  await settled(id);
  return id as string;
}
const send = (id: string, texts: readonly string[]) =>
  app.call("kim", "POST", `/brain/sources/${id}/files`, {
    files: texts.map((text, at) => ({ file_name: `${at}.md`, file_content: btoa(text) })),
  });
const settled = (id: string) =>
  until(`${id} is read`, async () => {
    const { body } = await app.call("kim", "GET", `/brain/sources/${id}/estimate`);
    return body.estimate?.status !== "running";
  });
const erase = (id: string, key: KeyName | null = "kim") => app.call(key, "DELETE", `/brain/sources/${id}`);
const restore = (id: string, key: KeyName = "kim") => app.call(key, "POST", `/brain/sources/${id}/restore`);
const find = async (id: string) =>
  (await app.call("kim", "POST", "/brain/search", { query: "narwhal", source_ids: [id] })).body.results;
const listed = async () =>
  (await app.call("kim", "GET", "/brain/sources?page_size=100")).body.sources.map(
    (source: { id: string }) => source.id,
  );
const runs = (id: string) =>
  app.context.store.db
    .selectFrom("executions")
    .select(["id", "state"])
    .where("subject_id", "=", id)
    .execute();
const over = (id: string) =>
  until(`the run of ${id} is over`, async () => (await runs(id)).every(({ state }) => state === "done"));
const contents = async (id: string) => {
  const rows = await app.context.store.db
    .selectFrom("knowledge_files")
    .select("content_id")
    .where("source_id", "=", id)
    .execute();
  return rows.map(({ content_id }) => content_id);
};
const setBack = (id: string, hours: number) =>
  app.context.store.pool.query(
    "update knowledge_sources set deleted_at = deleted_at - make_interval(hours => $2) where id = $1",
    [id, hours],
  );

describe("deleting a knowledge source", () => {
  it("a draft that nobody approves: the run that waits for its approval ends, and it can neither be approved nor filled", async () => {
    const id = await make({ require_approval: true });
    // The estimate is written a moment before its run lets go.
    await until("its run waits", async () => (await runs(id))[0]?.state === "waiting");
    const { status, body } = await erase(id);
    expect([status, body.source_id]).toEqual([200, id]);
    await over(id);
    expect(await listed()).not.toContain(id);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/estimate"],
      ["POST", "/approve"],
      ["DELETE", ""],
    ] as const)
      expect((await app.call("kim", method, `/brain/sources/${id}${path}`)).status, path).toBe(404);
    expect((await send(id, ["more"])).status).toBe(404);
  });

  it("an active one: nobody and no agent finds its passages, and the addresses of its files open nothing", async () => {
    const id = await make();
    const [passage] = await find(id);
    expect((await fetch(passage.metadata.file_url)).status).toBe(200);
    expect((await erase(id)).status).toBe(200);
    expect(await find(id)).toEqual([]);
    expect((await fetch(passage.metadata.file_url)).status).toBe(404);
    const tools = [{ type: "search_knowledge", source_ids: [id] }];
    const named = await app.call("kim", "POST", "/agents", { name: "Finder", tools });
    expect([named.status, named.body.error.param]).toEqual([404, "tools.0.source_ids"]);
  });

  it("can be taken back: it is found again, nothing is charged anew, and a draft can be approved", async () => {
    const active = await make();
    const draft = await make({ require_approval: true });
    const before = (await app.call("kim", "GET", `/brain/sources/${active}`)).body.source;
    for (const id of [active, draft]) {
      await erase(id);
      await over(id);
      const { status, body } = await restore(id);
      expect([status, body.source.id]).toEqual([200, id]);
    }
    expect(await find(active)).toHaveLength(1);
    const after = (await app.call("kim", "GET", `/brain/sources/${active}`)).body.source;
    expect(after.charged_credits).toBe(before.charged_credits);
    expect((await app.call("kim", "POST", `/brain/sources/${draft}/approve`)).status).toBe(200);
    await settled(draft);
    expect(await find(draft)).toHaveLength(1);
    expect((await restore(draft)).status).toBe(404);
  });

  it("while a file of it is read: that is neither indexed nor paid for", async () => {
    const { store } = app.context;
    const id = await make({ require_approval: true });
    const [contentId = ""] = await contents(id);
    const row = await readContent(store.db, contentId);
    if (row === null) throw new Error("the file is there");
    const passage = { page: null, pageEnd: null, section: null, content: "The narwhal.", words: null };
    const deleted = { table: "knowledge_sources", id, change: "deleted_at = now()" };
    await changedMeanwhile(store, deleted, () =>
      store.db
        .transaction()
        .execute((tx) => writeIndex(tx, row, [passage], { id: "credit_late", executionId: "late" })),
    );
    const { rows } = await store.pool.query(
      `select status, (select count(*)::int from credits where source_id = $1) as credits,
              (select count(*)::int from knowledge_passages where source_id = $1) as passages
         from knowledge_files where source_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: "pending", credits: 0, passages: 0 }]);
  });

  it("reads after a restoring what was not read when it was deleted", async () => {
    const id = await make({}, []);
    const texts = Array.from({ length: 30 }, (_, at) => `The narwhal sleeps at ${at}.`);
    await send(id, texts);
    await erase(id);
    await over(id);
    expect((await restore(id)).status).toBe(200);
    await settled(id);
    const { source } = (await app.call("kim", "GET", `/brain/sources/${id}`)).body;
    expect(source).toMatchObject({ document_count: 30, indexed_count: 30, failed_count: 0 });
    const charges = await app.context.store.db
      .selectFrom("credits")
      .select("content_id")
      .where("source_id", "=", id)
      .execute();
    expect(charges.length).toBe(30);
  });

  it("lets no file and no approval in that was checked just before it, and nothing is charged", async () => {
    const { store } = app.context;
    const id = await make({ require_approval: true });
    const row = { table: "knowledge_sources", id, change: "deleted_at = now()" };
    const approval = await changedMeanwhile(store, row, () =>
      app.call("kim", "POST", `/brain/sources/${id}/approve`),
    );
    expect([approval.status, approval.body.error.code]).toEqual([409, "source_not_draft"]);
    expect((await restore(id)).body.source.status).toBe("draft");
    const before = await contents(id);
    const files = await changedMeanwhile(store, row, () => send(id, ["more", "and more"]));
    expect(files.status).toBe(404);
    expect(await contents(id)).toEqual(before);
    const charged = await store.db.selectFrom("credits").select("id").where("source_id", "=", id).execute();
    expect(charged).toEqual([]);
  });

  it("S-305: can be taken back no more where it was removed for good while its restoring waited, at the very end of its day", async () => {
    const id = await make();
    await erase(id);
    await over(id);
    const row = { table: "knowledge_sources", id, change: "name = '', purged_at = now()" };
    expect((await changedMeanwhile(app.context.store, row, () => restore(id))).status).toBe(404);
  });

  it("is for whoever may approve it", async () => {
    const own = await make();
    const everybodys = await make({ scope: "organization" });
    const teams = await make({ scope: "team", team_id: "team_red" });
    expect((await erase(own, "lee")).status).toBe(404);
    expect((await erase(own, null)).status).toBe(401);
    expect((await erase(everybodys, "lee")).body.error.code).toBe("forbidden");
    expect((await erase(teams, "blue")).status).toBe(404);
    expect((await erase(teams, "red")).status).toBe(200);
    expect((await restore(teams, "blue")).status).toBe(404);
    expect((await restore(teams, "lee")).status).toBe(200);
    expect((await erase(everybodys)).status).toBe(200);
    expect((await restore(everybodys, "lee")).body.error.code).toBe("forbidden");
  });

  it("a day later it is removed for good with its passages and bytes; its credits stay", async () => {
    const [old, young] = [await make(), await make()];
    const [oldFiles, youngFiles] = [await contents(old), await contents(young)];
    await erase(old);
    await erase(young);
    await setBack(old, 25);
    expect((await restore(old)).status).toBe(404);
    expect(await purgeDeleted(app.context)).toBe(1);
    const sizes = await Promise.all([...oldFiles, ...youngFiles].map((id) => app.context.files.size(id)));
    expect(sizes).toEqual([null, 27]);
    const { db } = app.context.store;
    const left = await db
      .selectFrom("knowledge_passages")
      .select("seq")
      .where("source_id", "=", old)
      .execute();
    const credits = await db.selectFrom("credits").select("id").where("source_id", "=", old).execute();
    expect([left.length, credits.length]).toEqual([0, 1]);
    expect(await purgeDeleted(app.context)).toBe(0);
    expect((await restore(young)).status).toBe(200);
  });
});
