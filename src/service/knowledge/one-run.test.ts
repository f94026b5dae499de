import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { ended } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { failContent } from "./file-rows.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

async function makeDraft(): Promise<string> {
  const body = { name: "Rules", require_approval: true };
  return (await app.call("kim", "POST", "/brain/sources", body)).body.source.id;
}

async function send(id: string, ...names: readonly string[]): Promise<void> {
  const files = names.map((name) => {
    return {
      file_name: name,
      file_content: Buffer.from(`${name}: ${"a rule ".repeat(200)}`).toString("base64"),
    };
  });
  expect((await app.call("kim", "POST", `/brain/sources/${id}/files`, { files })).status).toBe(200);
}

const approve = async (id: string) => (await app.call("kim", "POST", `/brain/sources/${id}/approve`)).status;
const estimateOf = async (id: string) =>
  (await app.call("kim", "GET", `/brain/sources/${id}/estimate`)).body.estimate;
const sourceOf = async (id: string) => (await app.call("kim", "GET", `/brain/sources/${id}`)).body.source;
const isRead = (id: string) =>
  until(`${id} is read`, async () => (await estimateOf(id))?.status === "completed");

/** The runs of a source, in their order. */
const runsOf = (id: string) =>
  app.context.store.db
    .selectFrom("executions")
    .select(["id", "state"])
    .where("subject_id", "=", id)
    .orderBy("created_at")
    .execute();
const pauses = (id: string) =>
  until(`the run of ${id} waits`, async () => (await runsOf(id)).at(-1)?.state === "waiting");

it("the run that estimated a draft waits for the approval, and goes on as the run that indexes it", async () => {
  const id = await makeDraft();
  expect(await estimateOf(id)).toBeNull();
  await send(id, "a.md", "b.md");
  await isRead(id);
  await pauses(id);
  const { sync_run_id: run, estimated_credits } = await estimateOf(id);
  await send(id, "c.md");
  await isRead(id);
  await pauses(id);
  const more = await estimateOf(id);
  expect(more).toMatchObject({ sync_run_id: run, document_count: 3, indexed_count: 0, charged_credits: 0 });
  expect(more.estimated_credits).toBeGreaterThan(estimated_credits);

  expect(await approve(id)).toBe(200);
  await ended(app.context.store, run);
  expect(await estimateOf(id)).toMatchObject({
    sync_run_id: run,
    status: "completed",
    indexed_count: 3,
    charged_credits: more.estimated_credits,
  });
  expect(await runsOf(id)).toEqual([{ id: run, state: "done" }]);
  const credits = await app.context.store.db
    .selectFrom("credits")
    .select(["execution_id", "kind"])
    .where("source_id", "=", id)
    .execute();
  expect(credits).toEqual([{ execution_id: run, kind: "approval" }]);

  // What comes later is a run of its own.
  await send(id, "d.md");
  await until("the later file is indexed", async () => (await sourceOf(id)).indexed_count === 4);
  expect((await estimateOf(id)).sync_run_id).not.toBe(run);
});

it("of files and approvals that come all at once none is missed, and each file is indexed and paid once", async () => {
  const id = await makeDraft();
  const names = Array.from({ length: 12 }, (_, index) => `${index}.md`);
  const [first = "", ...rest] = names;
  await send(id, first);
  await Promise.all([...rest.map((name) => send(id, name)), ...[1, 2, 3].map(() => approve(id))]);
  await until("all are indexed", async () => (await sourceOf(id)).indexed_count === names.length);
  await until("no run is left", async () => (await runsOf(id)).every(({ state }) => state === "done"));
  const { files, charged_credits } = await sourceOf(id);
  const costs = files.reduce((sum: number, { credits }: { credits: number }) => sum + credits, 0);
  expect(charged_credits).toBeCloseTo(costs, 6);
});

it("a draft whose waiting run was stopped is still approved: another run indexes it", async () => {
  const id = await makeDraft();
  await send(id, "a.md");
  await isRead(id);
  await pauses(id);
  const [stopped] = await runsOf(id);
  expect((await app.context.engine.kill(stopped?.id ?? "")).killed).toBe(true);
  expect((await sourceOf(id)).files).toMatchObject([{ status: "pending", error: null }]);
  expect(await approve(id)).toBe(200);
  const states = async () => (await runsOf(id)).map(({ state }) => state);
  await until("another run has ended", async () => (await states()).at(1) === "done");
  expect(await states()).toEqual(["terminated", "done"]);
  expect((await sourceOf(id)).indexed_count).toBe(1);
});

it("a file that is indexed by then has not failed, whatever is heard of its run afterwards", async () => {
  const id = await makeDraft();
  await send(id, "a.md");
  await isRead(id);
  expect(await approve(id)).toBe(200);
  await until("it is indexed", async () => (await sourceOf(id)).indexed_count === 1);
  const { db } = app.context.store;
  const file = await db
    .selectFrom("knowledge_files")
    .select(["source_id", "content_id"])
    .where("source_id", "=", id)
    .executeTakeFirstOrThrow();
  await db.transaction().execute((tx) => failContent(tx, file, "It was stopped."));
  expect((await sourceOf(id)).files).toMatchObject([{ status: "indexed", error: null }]);
});
