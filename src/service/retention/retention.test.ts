import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { putExecution, removeBy } from "../../testing/retention.ts";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { previewRetention } from "./preview.ts";
import { readRules } from "./rules.ts";

const { service, context, db, remove, put, talk, file, artifact, share, keep, runs, bytes } =
  retentionSuite();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("several processes", () => {
  it("do it one at a time, and together delete each thing once", async () => {
    for (let n = 0; n < 600; n++) await put({ id: `run_${n}` });
    await file("run_1", "file_of_one");
    const [first, second] = await Promise.all([remove({ runs: "90d" }), remove({ runs: "90d" })]);
    expect([first?.runs ?? 0, second?.runs ?? 0].filter((n) => n > 0).length).toBeGreaterThan(0);
    await remove({ runs: "90d" });
    expect([await runs(), await bytes("file_of_one")]).toEqual([[], null]);
  });

  it("leave it to the one that is at it", async () => {
    await put({ id: "run_old" });
    const other = await context().store.pool.connect();
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(hashtextextended('retention', 0))");
    expect(await remove({ runs: "90d" })).toBeNull();
    await other.query("rollback");
    other.release();
    expect(await remove({ runs: "90d" })).toMatchObject({ runs: 1 });
  });
});

it("S-332: retention that is stopped in the middle deletes nothing more, and the next one goes on", async () => {
  for (let n = 0; n < 300; n++) await put({ id: `run_${n}` });
  await put({ id: "run_oldest", days: 200 });
  await file("run_oldest", "file_of_oldest");
  const { files, ...rest } = context();
  const stopping = new AbortController();
  const stops: typeof files = {
    ...files,
    async remove(id) {
      stopping.abort();
      await files.remove(id);
    },
  };
  const removed = await removeBy({ ...rest, files: stops }, { runs: "90d" }, stopping.signal);
  const left = await runs();
  expect([removed?.runs, left.length > 0]).toEqual([301 - left.length, true]);
  expect([left.includes("run_oldest"), await bytes("file_of_oldest")]).toEqual([false, null]);
  expect(await remove({ runs: "90d" })).toMatchObject({ runs: left.length });
});

describe("a start that is sent again with its key", () => {
  it("starts anew where its run is gone, as the key is forgotten by then", async () => {
    const start = () =>
      service().call(
        service().keys.ada,
        "POST",
        "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello",
        {},
        { "idempotency-key": "again" },
      );
    const { run_id: first } = await (await start()).json();
    await sql`update executions set state = 'done', created_at = now() - interval '25 hours',
      finished_at = now() - interval '25 hours' where id = ${first}`.execute(db());
    await sql`update idempotent_starts set created_at = now() - interval '25 hours'`.execute(db());
    expect(await remove({ runs: "1d" })).toMatchObject({ runs: 1 });
    const { run_id: second } = await (await start()).json();
    expect(second).not.toBe(first);
    expect(await runs()).toEqual([second]);
  });
});

describe("what would go", () => {
  it("is what goes: by kind and team, how many, how much, since when", async () => {
    await put({ id: "run_a", days: 200, log: ["one"] });
    await put({ id: "run_b", days: 100 });
    await put({ id: "run_sub", parent: "run_b", root: "run_b" });
    await put({ id: "run_team", team: "team_harbor" });
    await put({ id: "run_failed", state: "failed" });
    await put({ id: "run_kept" });
    await keep("/runs/run_kept");
    await put({ id: "run_busy", state: "running" });
    await talk({ id: "int_old" });
    await talk({ id: "int_shared" });
    await artifact("int_shared", "art_shared");
    await share("art_shared");
    await file("run_a", "file_of_run_a");
    const all = { runs: "90d", failed_runs: "90d", conversations: "90d", run_files: "90d" };
    const rules = readRules({ ...all, teams: {} });
    const preview = await previewRetention(context().store, rules);
    const counts = preview.map(({ kind, teamId, count }) => `${kind} ${teamId} ${count}`);
    expect(counts.sort()).toEqual(
      [
        "conversations null 1",
        "failed_runs null 1",
        "run_files null 1",
        "runs null 2",
        "runs team_harbor 1",
      ].sort(),
    );
    const [largest] = preview.filter(({ kind, teamId }) => kind === "runs" && teamId === null);
    const days = (Date.now() - Number(largest?.oldest)) / 86_400_000;
    expect(Math.round(days)).toBe(200);
    expect(largest?.bytes).toBeGreaterThan(300);
    expect(await remove(all)).toMatchObject({ runs: 4, conversations: 1, run_files: 0 });
    expect(await previewRetention(context().store, rules)).toEqual([]);
  });

  it("counts the bytes of each run with all below it and all its files, and of each conversation with all that was said", async () => {
    await put({ id: "run_a" });
    await put({ id: "run_b" });
    await put({ id: "run_sub", parent: "run_b", root: "run_b" });
    await sql`update executions set log_bytes = 1000`.execute(db());
    await file("run_sub", "file_one");
    await file("run_sub", "file_number_two");
    for (const id of ["int_a", "int_b"]) await talk({ id });
    await sql`update messages set content = repeat('Hello ', seq::integer)`.execute(db());
    await sql`insert into message_parts (interaction_id, message_seq, seq, part)
      select interaction_id, seq, part, json_build_object('text', repeat('x', part::integer))
        from messages, generate_series(1, 2) part`.execute(db());
    const rules = readRules({ runs: "90d", conversations: "90d", teams: {} });
    const preview = await previewRetention(context().store, rules);
    const sizes = async (rows: RawBuilder<{ size: number }>) => {
      const found = (await rows.execute(db())).rows.map(({ size }) => size);
      return found.reduce((all, size) => all + size, 0);
    };
    const ofRuns = await sizes(
      sql`select pg_column_size(e.*) + log_bytes as size from executions e where kind = 'pipeline'`,
    );
    const said = [
      await sizes(sql`select pg_column_size(i.*) as size from interactions i`),
      await sizes(sql`select pg_column_size(m.*) as size from messages m`),
      await sizes(sql`select pg_column_size(p.*) as size from message_parts p`),
    ];
    const bytesOf = (one: string) => preview.find(({ kind }) => kind === one)?.bytes;
    expect(bytesOf("runs")).toBe(ofRuns + "file_one".length + "file_number_two".length);
    // A row is a few bytes smaller as one of a join.
    expect(Number(bytesOf("conversations")) / said.reduce((all, size) => all + size, 0)).toBeCloseTo(1, 1);
  });

  it("counts the bytes of a conversation also where a message has no parts, and where nothing was said", async () => {
    await talk({ id: "int_said" });
    await talk({ id: "int_silent", team: "team_harbor" });
    await sql`delete from messages where interaction_id = 'int_silent'`.execute(db());
    await sql`delete from message_parts`.execute(db());
    await sql`update messages set content = repeat('Hello ', 100)`.execute(db());
    const preview = await previewRetention(context().store, readRules({ conversations: "90d", teams: {} }));
    const bytesOf = (team: string | null) => preview.find(({ teamId }) => teamId === team)?.bytes;
    const { rows } = await sql<{ size: number }>`
      select sum(pg_column_size(m.*))::float8 as size from messages m`.execute(db());
    expect(rows[0]?.size).toBeGreaterThan(600);
    expect(bytesOf(null)).toBeGreaterThan(rows[0]?.size ?? 0);
    expect(bytesOf("team_harbor")).toBeGreaterThan(50);
  });

  it("is asked for by anybody, of what they may see alone; without rules it is nothing", async () => {
    await put({ id: "run_ada" });
    await put({ id: "run_harbor", team: "team_harbor" });
    const ask = async (key: string) => (await service().call(key, "GET", "/retention")).json();
    expect(await ask(service().keys.ada)).toEqual({ rules: [], preview: [] });
    const own = await startService({ workspace: await workspaceWith("runs: 90d"), work: false });
    try {
      await putExecution(own.context, { id: "run_ada" });
      await putExecution(own.context, { id: "run_harbor", team: "team_harbor" });
      const answers = await Promise.all(
        [own.keys.ada, own.keys.grace, own.keys.harbor].map(async (key) =>
          (await own.call(key, "GET", "/retention")).json(),
        ),
      );
      const seen = answers.map(({ rules, preview }) => [
        rules,
        preview.map(
          (part: { project_id: string | null; count: number }) => `${part.project_id} ${part.count}`,
        ),
      ]);
      const rules = [{ kind: "runs", project_id: null, days: 90 }];
      expect(seen[0]).toEqual([rules, ["null 1", "team_harbor 1"]]);
      expect(seen[2]).toEqual([rules, ["team_harbor 1"]]);
      expect(seen[1]?.[1]).not.toContain("null 1");
      const alone = await own.call(own.keys.ada, "GET", "/retention?preview=false");
      expect(await alone.json()).toEqual({ rules, preview: [] });
    } finally {
      await own.stop();
    }
  });

  it("goes by itself once the service works, by the rules of its workspace", async () => {
    const own = await startService({ workspace: await workspaceWith("runs: 90d"), work: false });
    try {
      await putExecution(own.context, { id: "run_old" });
      await putExecution(own.context, { id: "run_young", days: 1 });
      await own.work();
      const left = () => own.context.store.db.selectFrom("executions").select("id").execute();
      await until("it is gone", async () => (await left()).length === 1);
      expect(await left()).toEqual([{ id: "run_young" }]);
    } finally {
      await own.stop();
    }
  });
});

async function workspaceWith(rule: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-retention-"));
  folders.push(folder);
  const text = readFileSync(join(import.meta.dirname, "../../../workspace/wheelhouse.yaml"), "utf8");
  writeFileSync(join(folder, "wheelhouse.yaml"), `${text}\nretention: { ${rule} }\n`);
  return folder;
}
