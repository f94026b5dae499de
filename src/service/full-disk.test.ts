import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentService, startAgentService } from "../testing/agents.ts";
import { brokenInvariants, ended } from "../testing/engine.ts";
import { readLog } from "../testing/executions.ts";
import { smallDisk } from "../testing/small-disk.ts";
import { until } from "../testing/until.ts";
import { toJson } from "./store/json.ts";

const disk = smallDisk(1_000_000);
afterAll(() => disk?.unmount());

describe.skipIf(disk === null)("S-72: on a disk of files that is full (needs the right to mount one)", () => {
  let app: AgentService;
  let ballast = "";
  beforeAll(async () => {
    ballast = join(disk?.path ?? "", "ballast");
    app = await startAgentService({ filesDirectory: join(disk?.path ?? "", "files"), concurrency: 2 });
    const nodes = [
      { id: "write", node: { type: "file", name: "a.txt", content: "x".repeat(20_000) } },
      { id: "end", node: { type: "output", value: "{{ write.value }}" } },
    ];
    const flow = {
      id: "flow_file",
      user_id: "user_kim",
      name: "File",
      definition: toJson({ nodes }),
      removed_at: null,
    };
    await app.context.store.db.insertInto("saved_items").values(flow).execute();
  });
  beforeEach(() => {
    const fill = () => {
      try {
        writeFileSync(ballast, "x".repeat(4_096), { flag: "a" });
        return true;
      } catch {
        return false;
      }
    };
    while (fill());
  });
  afterAll(() => app.stop());
  const makeRoom = () => rmSync(ballast, { force: true });

  const waits = async (id: string) =>
    (await readLog(app.context.store.db, id)).filter((line) =>
      line.includes("the disk of the service is full"),
    );

  test("turns that write files wait, say so once in their log, and end well when there is room", async () => {
    const message = `/write_file {"name":"a.md","content":"${"y".repeat(20_000)}"}`;
    const started = await Promise.all(
      [1, 2, 3, 4].map(() => app.start(message, { gummie_id: "agent_offline" })),
    );
    expect(started.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const { rows } = await app.context.store.pool.query<{ id: string }>(
      "select id from executions where kind = 'turn'",
    );
    for (const { id } of rows) await until(`${id} waits`, async () => (await waits(id)).length > 0);
    // They were tried more than once.
    await until("a second try", async () => {
      const { rows: all } = await app.context.store.pool.query(
        "select from executions where kind = 'turn' and epoch > 2",
      );
      return all.length === 4;
    });
    makeRoom();
    for (const { body } of started)
      expect(await app.settled(body.interaction_id)).toMatchObject({ state: "COMPLETED" });
    for (const { id } of rows) expect(await waits(id)).toHaveLength(1);
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  });

  test("a run that writes a file waits, and ends well when there is room", async () => {
    const path = "/start_pipeline?user_id=user_kim&saved_item_id=flow_file";
    const { status, body } = await app.call("kim", "POST", path, {});
    expect(status).toBe(200);
    await until("it waits", async () => (await waits(body.run_id)).length > 0);
    makeRoom();
    expect(await ended(app.context.store, body.run_id)).toMatchObject({ state: "done" });
    expect(await waits(body.run_id)).toHaveLength(1);
  });

  test("what is sent is refused as 507, and nothing of it stays", async () => {
    const made = await app.call("kim", "POST", "/brain/sources", { name: "Tides", scope: "personal" });
    const path = `/brain/sources/${made.body.source.id}/files`;
    const file = { file_name: "tides.txt", file_content: Buffer.from("z".repeat(50_000)).toString("base64") };
    expect((await app.call("kim", "POST", path, { files: [file] })).status).toBe(507);
    makeRoom();
    expect((await app.call("kim", "POST", path, { files: [file] })).status).toBeLessThan(300);
  });
});
