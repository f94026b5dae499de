import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentService, asOwner, startAgentService } from "../../../testing/agents.ts";
import { backUpInto, restoreFrom, testFolder } from "../../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase } from "../../../testing/database.ts";
import { brokenInvariants, ended } from "../../../testing/engine.ts";
import { readLog } from "../../../testing/executions.ts";
import { type S3Server, startS3Server } from "../../../testing/s3-server.ts";
import { startService } from "../../../testing/service.ts";
import { until } from "../../../testing/until.ts";
import { toJson } from "../../store/json.ts";
import { purgeDeleted } from "../purge-deleted.ts";
import { sweepFiles } from "../sweep-files.ts";
import { s3FileStore } from "./s3-file-store.ts";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());

const written = (name: string, content: string) => `/write_file ${JSON.stringify({ name, content })}`;

describe("a service whose files lie in a bucket", () => {
  let app: AgentService;
  const folder = testFolder();
  beforeAll(async () => {
    app = await startAgentService({ filesAt: server.place(), concurrency: 2 });
    const nodes = [
      { id: "write", node: { type: "file", name: "a.txt", content: "x".repeat(20_000) } },
      { id: "end", node: { type: "output", value: "{{ write.value }}" } },
    ];
    const flow = { id: "flow_file", user_id: "user_kim", name: "File", removed_at: null };
    await app.context.store.db
      .insertInto("saved_items")
      .values({ ...flow, definition: toJson({ nodes }) })
      .execute();
  });
  afterAll(async () => {
    await app.stop();
    folder.remove();
  });
  afterEach(() => {
    server.fault = () => null;
  });
  const keys = () => [...server.objects.keys()].filter((key) => key.includes("/files/"));
  /** As if everything had been written so long ago. */
  const age = (days: number) => {
    for (const key of keys()) server.age(key, new Date(Date.now() - days * 86_400_000));
  };
  async function write(name: string, content: string) {
    const { body } = await app.start(written(name, content), { gummie_id: "agent_offline" });
    expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
    const listed = await app.call("kim", "GET", `/artifacts?session_id=${body.interaction_id}`);
    return listed.body.artifacts[0];
  }
  async function runOf(): Promise<string> {
    const path = "/start_pipeline?user_id=user_kim&saved_item_id=flow_file";
    const { status, body } = await app.call("kim", "POST", path, {});
    expect(status).toBe(200);
    return body.run_id;
  }

  it("writes what agents and flows make, gives it whole, in part, as a zip and by a link", async () => {
    const { id, url } = await write("plan.md", "High water at six");
    expect(await (await fetch(url)).text()).toBe("High water at six");
    const part = await fetch(url, { headers: { range: "bytes=5-9" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 5-9/17",
      "water",
    ]);
    expect((await fetch(url, { headers: { range: "bytes=17-" } })).status).toBe(416);
    expect((await fetch(url, { method: "HEAD" })).headers.get("content-length")).toBe("17");
    const access = { link: { mode: "anyone" } };
    const shared = await app.call("kim", "PUT", `/artifacts/${id}/access`, access, asOwner("kim"));
    const { link_url: link } = shared.body.access;
    const opened = await app.call(null, "GET", `/shared/${link.slice(link.lastIndexOf("/") + 1)}`);
    expect(await (await fetch(opened.body.download_url)).text()).toBe("High water at six");
    const run = await runOf();
    expect(await ended(app.context.store, run)).toMatchObject({ state: "done" });
    const files = { run_id: run, user_id: "user_kim", file_names: ["a.txt"] };
    const zip = await app.service.call(app.keys.kim, "POST", "/download_files", files);
    const bytes = Buffer.from(await zip.arrayBuffer());
    expect([zip.status, bytes.subarray(0, 2).toString()]).toEqual([200, "PK"]);
  });

  it("removes there what was deleted, by the sweep, and what nothing names, and nothing else", async () => {
    const { id, url } = await write("gone.md", "Soon gone");
    const stays = await write("stays.md", "Here to stay");
    await app.context.files.write("content_0123456789", "left behind");
    const before = keys();
    expect((await app.call("kim", "DELETE", `/artifacts/${id}`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
    expect(await sweepFiles(app.context)).toBe(0);
    expect(keys()).toEqual(before);
    await app.context.store.pool.query(
      "update artifacts set removed_at = removed_at - interval '2 days' where id = $1",
      [id],
    );
    expect(await purgeDeleted(app.context)).toBe(1);
    age(2);
    expect(await sweepFiles(app.context)).toBe(1);
    expect(keys()).toHaveLength(before.length - 2);
    expect(await (await fetch(stays.url)).text()).toBe("Here to stay");
  });

  it("S-145: a service on another database never removes there what it does not know", async () => {
    await app.context.files.write("content_9876543210", "left behind");
    age(2);
    const lines: string[] = [];
    const copy = await startService({
      ...{ filesAt: server.place(), empty: true },
      logTo: (line) => lines.push(line),
    });
    try {
      expect(lines.join("")).toContain("wheelhouse files adopt");
      await copy.context.files.remove("content_9876543210");
      expect(await sweepFiles(copy.context)).toBeNull();
      expect(keys()).toContain("some/where/files/content_9876543210");
    } finally {
      await copy.stop();
    }
    expect(await sweepFiles(app.context)).toBe(1);
  });

  it("S-146: while the store is away turns and runs wait, and readiness says so; then all ends well", async () => {
    const { url } = await write("before.md", "From before");
    server.fault = () => ({ type: "answer", status: 403, code: "ExpiredToken" });
    const turn = await app.start(written("later.md", "From while it was away"), {
      gummie_id: "agent_offline",
    });
    expect(turn.status).toBe(202);
    const run = await runOf();
    const waits = async (id: string) =>
      (await readLog(app.context.store.db, id)).filter((line) =>
        line.includes("file storage of the service"),
      );
    await until("the run waits", async () => (await waits(run)).length > 0);
    const { rows } = await app.context.store.pool.query<{ id: string }>(
      "select id from executions where kind = 'turn' and state in ('queued', 'running')",
    );
    const [{ id = "" } = {}] = rows;
    await until("the turn waits", async () => (await waits(id)).length > 0);
    const ready = async () => await (await fetch(`${app.service.url}/readyz`)).json();
    expect(await ready()).toEqual({ status: "ready", files: "unavailable" });
    const refused = await fetch(url);
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, 5]);
    server.fault = () => null;
    expect(await ended(app.context.store, run)).toMatchObject({ state: "done" });
    expect(await app.settled(turn.body.interaction_id)).toMatchObject({ state: "COMPLETED" });
    for (const one of [run, id]) expect(await waits(one)).toHaveLength(1);
    expect(await ready()).toEqual({ status: "ready" });
    expect(await (await fetch(url)).text()).toBe("From before");
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  });

  describe("in a backup", () => {
    let target: EmptyDatabase;
    beforeEach(async () => {
      target = await emptyDatabase();
    });
    afterEach(() => target.drop());

    it("is saved with its bytes, and restored into another bucket's place, which must be empty", async () => {
      await write("saved.md", "Worth a backup");
      const into = server.place({ prefix: "restored" });
      const { databaseUrl: url } = app.service;
      const done = await backUpInto(folder.in("s3.backup"), { url, files: server.place() });
      expect(done.missing).toBe(0);
      await expect(
        restoreFrom(folder.in("s3.backup"), { url: target.url, files: server.place() }),
      ).rejects.toMatchObject({ kind: "not_empty" });
      await restoreFrom(folder.in("s3.backup"), { url: target.url, files: into });
      for (const key of keys().filter((one) => one.startsWith("restored/")))
        expect(server.objects.get(key)?.bytes).toEqual(
          server.objects.get(key.replace("restored/", "some/where/"))?.bytes,
        );
      expect(keys().filter((one) => one.startsWith("restored/"))).toHaveLength(done.files);
      await s3FileStore(into).clear();
    });
  });
});

it("S-144: a service does not start on a bucket that it cannot use, and says which setting that is about", async () => {
  const place = server.place({ region: "us-east-1" });
  await expect(startService({ filesAt: place, empty: true })).rejects.toThrow("Set AWS_REGION=eu-test-1.");
});
