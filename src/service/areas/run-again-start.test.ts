import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditOf } from "../../testing/audit.ts";
import { removeBy } from "../../testing/retention.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { readExecution } from "../engine/queries.ts";
import { startSeeded } from "../engine/seed.ts";
import { start } from "../engine/start.ts";
import { previewAgain, seedAgain } from "../pipelines/run-again.ts";
import { runFileId } from "../pipelines/run-files.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const word = { id: "word", node: { type: "input" } };
  const page = { id: "page", node: { type: "file", name: "page.txt", content: "{{ word.value }}" } };
  const drawn = '{{ "abcdefghijklmnop" | split: "" | sample: 9 | join: "" }}';
  const stop = { id: "stop", node: { type: "code", source: "throw new Error('no')", after: ["page"] } };
  await addFlow("flow_again", [word, page, stop]);
  await addFlow("flow_drawn", [
    { id: "page", node: { type: "file", name: "page.txt", content: drawn } },
    { id: "told", node: { type: "code", source: "return Math.random()", after: ["page"] } },
    { ...stop, node: { ...stop.node, after: ["told"] } },
  ]);
});
const addFlow = (id: string, nodes: readonly object[]) =>
  service.context.store.db
    .insertInto("saved_items")
    .values({
      ...{ id, user_id: "user_ada", team_id: null, name: "Report", removed_at: null },
      definition: toJson({ nodes }),
    })
    .execute();
afterAll(() => service.stop());

type Json = Record<string, unknown>;
async function call(key: string, method: string, path: string, body?: unknown, headers?: HeadersInit) {
  const answer = await service.call(key, method, path, body, headers);
  const said = await answer.text();
  const read: Json = said === "" ? {} : JSON.parse(said);
  return { status: answer.status, body: read };
}
const ada = () => service.keys.ada;

async function failedRun(flow = "flow_again"): Promise<string> {
  const path = `/start_pipeline?saved_item_id=${flow}&user_id=user_ada`;
  const { body } = await call(ada(), "POST", path, { word: "Hello" });
  const id = String(body.run_id);
  await over(id);
  return id;
}
const stateOf = async (id: string) => (await readExecution(service.context.store.db, id))?.state;
const endedLongAgo = (id: string) =>
  service.context.store.db
    .updateTable("executions")
    .set({ finished_at: new Date(0) })
    .where("id", "=", id)
    .execute();
const over = (id: string) => until(`the end of ${id}`, async () => (await stateOf(id)) === "failed");
const steps = async (id: string) => {
  const { db } = service.context.store;
  const rows = await db.selectFrom("steps").select("key").where("execution_id", "=", id).execute();
  return rows.map(({ key }) => key).sort();
};

describe("Running a run again", () => {
  test("says beforehand what is reused, and starts exactly that once for one key", async () => {
    const id = await failedRun();
    const shown = await call(ada(), "POST", `/runs/${id}/again/preview`, {});
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({
      runs: [
        {
          run_id: id,
          nodes: [
            { id: "word", state: "reused" },
            { id: "page", state: "reused", outside: false },
            { id: "stop", state: "again", outside: false },
          ],
        },
      ],
      refusals: [],
    });
    const body = { preview: shown.body.preview };
    const key = { "Idempotency-Key": `again-${id}` };
    const starts = await Promise.all([
      call(ada(), "POST", `/runs/${id}/again`, body, key),
      call(ada(), "POST", `/runs/${id}/again`, body, key),
    ]);
    expect(starts.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = starts.map(({ body: { run_id } }) => String(run_id));
    expect(second).toBe(first);
    await over(first ?? "");
    const recorded = await auditOf(service.context, "run.again");
    expect(recorded.filter(({ object_id }) => object_id === first)).toMatchObject([
      { user_id: "user_ada", object_name: "Report", changes: [{ field: "again", after: id }] },
    ]);
    expect((await call(ada(), "GET", `/runs/${first}`)).body.again_of).toEqual({
      run_id: id,
      node: null,
      item: null,
    });
    expect((await call(ada(), "GET", `/runs/${id}`)).body.again_by).toMatchObject([
      { run_id: first, state: "FAILED" },
    ]);
  });

  test("S-390: what is sent again with its key is answered as before, also once the flow has changed or the other run is deleted", async () => {
    await addFlow("flow_changes", [
      { id: "page", node: { type: "file", name: "page.txt", content: "as it was" } },
      { id: "stop", node: { type: "code", source: "throw new Error('no')", after: ["page"] } },
    ]);
    const id = await failedRun("flow_changes");
    const { body: shown } = await call(ada(), "POST", `/runs/${id}/again/preview`, { flow: "current" });
    const key = { "Idempotency-Key": `again-${id}` };
    const send = (body: Json) => call(ada(), "POST", `/runs/${id}/again`, body, key);
    const sent = { flow: "current", preview: shown.preview };
    const first = await send(sent);
    expect(first.status).toBe(200);
    await over(String(first.body.run_id));

    const nodes = [{ id: "page", node: { type: "file", name: "page.txt", content: "as it is" } }];
    await service.context.store.db
      .updateTable("saved_items")
      .set({ definition: toJson({ nodes }) })
      .where("id", "=", "flow_changes")
      .execute();
    expect(await send(sent)).toEqual(first);
    await endedLongAgo(id);
    await removeBy(service.context, { failed_runs: "1d" });
    expect(await send(sent)).toEqual(first);
    expect(await send({ flow: "as_run" })).toMatchObject({ status: 422 });
  });

  test("is refused with the sentence of the preview, also where that has changed meanwhile", async () => {
    const id = await failedRun();
    const asked = { from: { node: "nothing" } };
    const { body: shown } = await call(ada(), "POST", `/runs/${id}/again/preview`, asked);
    const sentence = 'The flow has no step "nothing".';
    expect(shown.refusals).toEqual([{ message: sentence, param: "from.node" }]);
    expect(await call(ada(), "POST", `/runs/${id}/again`, asked)).toMatchObject({
      ...{ status: 400, body: { error: { code: "invalid_body", param: "from.node", message: sentence } } },
    });
    const other = await call(ada(), "POST", `/runs/${id}/again/preview`, { inputs: { word: "Bye" } });
    expect(await call(ada(), "POST", `/runs/${id}/again`, { preview: other.body.preview })).toMatchObject({
      ...{ status: 400, body: { error: { param: "preview" } } },
    });
  });

  test("S-117: writes a file again that was deleted since, with what was in it, and says so beforehand", async () => {
    const id = await failedRun("flow_drawn");
    const fileOf = async (run: string) => {
      const bytes = await service.context.files.read(runFileId(run, "page"));
      return bytes && (await text(bytes));
    };
    const before = await fileOf(id);
    await endedLongAgo(id);
    await removeBy(service.context, { run_files: "1d" });
    expect(await fileOf(id)).toBeNull();
    const { body: shown } = await call(ada(), "POST", `/runs/${id}/again/preview`, {});
    expect(shown).toMatchObject({
      runs: [
        {
          nodes: [
            { id: "page", state: "again", outside: false, may_repeat: false },
            { id: "told", state: "reused" },
            { id: "stop", state: "again" },
          ],
        },
      ],
      refusals: [],
    });
    const { body } = await call(ada(), "POST", `/runs/${id}/again`, { preview: shown.preview });
    const next = String(body.run_id);
    await over(next);
    expect([typeof before, await fileOf(next)]).toEqual(["string", before]);
    const path = `/get_pl_run?run_id=${next}&user_id=user_ada`;
    expect((await call(ada(), "GET", path)).body).toMatchObject({
      files: [{ name: "page.txt" }],
      log: expect.arrayContaining([expect.stringContaining("[told] done before, reused")]),
    });
  });

  test("S-118: keeps what it reuses when the other run is removed, its files too", async () => {
    const id = await failedRun();
    const { body } = await call(ada(), "POST", `/runs/${id}/again`, {});
    const next = String(body.run_id);
    await over(next);
    await endedLongAgo(id);
    await removeBy(service.context, { runs: "1d", failed_runs: "1d" });
    expect(await stateOf(id)).toBeUndefined();
    expect(await steps(next)).toEqual(expect.arrayContaining(["page", "stop", "word"]));
    const bytes = await service.context.files.read(runFileId(next, "page"));
    expect(bytes && (await text(bytes))).toBe("Hello");
    expect((await call(ada(), "GET", `/runs/${next}`)).body.again_of).toBeNull();
  });

  test("S-119: a start that is cut off leaves nothing, and one whose process died after it goes on from where it was", async () => {
    const { store, flows, flowVersions } = service.context;
    const id = await failedRun();
    const run = await readExecution(store.db, id);
    if (!run) throw new Error("it is gone");
    const ask = { from: null, flow: "as_run", inputs: {}, output: null } as const;
    const preview = await previewAgain({ store, flows, versions: flowVersions }, [run], ask);
    const seededAs = (newId: string) => {
      const seeded = seedAgain(preview, { userId: "user_ada", teamId: null, now: new Date(), ids: [newId] });
      if (!seeded) throw new Error("nothing goes again");
      return seeded;
    };
    const dies = store.db.transaction().execute(async (tx) => {
      await startSeeded(tx, (execution) => start(tx, execution, "self"), seededAs("run_cut_off"));
      throw new Error("cut off");
    });
    await expect(dies).rejects.toThrow("cut off");
    expect(await stateOf("run_cut_off")).toBeUndefined();
    expect(await steps("run_cut_off")).toEqual([]);
    // Nobody takes it up by itself: whoever started it is gone.
    await store.db
      .transaction()
      .execute((tx) => startSeeded(tx, (execution) => start(tx, execution, "self"), seededAs("run_left")));
    await over("run_left");
    const bytes = await service.context.files.size(runFileId("run_left", "page"));
    expect(bytes).toBeNull();
    expect(await steps("run_left")).toEqual(expect.arrayContaining(["page", "stop", "word"]));
  });
});
