import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { testFolder } from "../../testing/backup.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { type S3Server, startS3Server } from "../../testing/s3-server.ts";
import type { FilesPlace, FolderPlace } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { type MoveParts, moveFiles, refusalOfPlace } from "./move-files.ts";
import { openPlace, withFallback } from "./open-files.ts";
import { purgeDeleted } from "./purge-deleted.ts";

const folder = testFolder();
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});
const never = new AbortController().signal;
const idle = { verify: false, signal: never, throttle: async () => {}, onProgress: () => {} };
const reads = async (files: Pick<FileStore, "read">, id: string) => {
  const stream = await files.read(id);
  return stream === null ? null : await text(stream);
};

describe("moving files", () => {
  let own: FreshStore;
  let round = 0;
  let old: FolderPlace;
  let next: FilesPlace;
  const ids = Array.from({ length: 12 }, (_, n) => `run_files-${n}`);
  const contentOf = (id: string) => `bytes of ${id}`;
  beforeEach(async () => {
    own = await freshStore();
    round++;
    old = { type: "folder", path: folder.in(`old-${round}`) };
    next = server.place({ prefix: `next-${round}` });
    await own.store.pool.query(
      "insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}')",
    );
    for (const id of ids) await name(id, contentOf(id));
  });
  afterEach(() => own.drop());
  /** A file as a run leaves it. */
  async function name(id: string, content: string): Promise<void> {
    await openPlace(old).write(id, content);
    await own.store.pool.query(
      `insert into run_files (id, execution_id, name, media_type, size) values ($1, 'run', $1, 'text/plain', $2)
         on conflict (execution_id, name) do update set size = excluded.size`,
      [id, content.length],
    );
  }
  const move = (changes: Partial<MoveParts> = {}) =>
    moveFiles({ ...idle, store: own.store, from: openPlace(old), to: openPlace(next), ...changes });

  it("S-147: killed at any file and begun again, it loses nothing and copies nothing twice", async () => {
    await openPlace(old).write("of-nobody-at-all", "left where it is");
    const writes: string[] = [];
    const target = openPlace(next);
    /** Dies at this write, in the middle of it or after it. */
    const mortal = (left: number): FileStore => ({
      ...target,
      async write(id, content) {
        if (left-- <= 0) throw new Error("killed");
        const written = await target.write(id, content);
        writes.push(id);
        if (left < 0) throw new Error("killed");
        return written;
      },
    });
    let deaths = 0;
    for (;;) {
      const moved = await move({ to: mortal(deaths % 2) }).catch(() => null);
      if (moved !== null) break;
      expect(++deaths).toBeLessThan(100);
    }
    expect(deaths).toBeGreaterThan(1);
    expect(writes.sort()).toEqual([...ids].sort());
    for (const id of ids) expect(await reads(target, id)).toBe(contentOf(id));
    expect(await target.size("of-nobody-at-all")).toBeNull();
    expect(await move()).toMatchObject({ copied: 0, there: ids.length, missing: { count: 0 } });
  });

  it("S-147: a file that is written anew while they move is moved as it is", async () => {
    await move();
    await name("run_files-3", "written anew, and longer");
    await name("run_files-new", "of a run that went on");
    expect(await move()).toMatchObject({ copied: 2, there: ids.length - 1 });
    expect(await reads(openPlace(next), "run_files-3")).toBe("written anew, and longer");
  });

  it("tells how far it is, holds to its rate, and ends where it is told to", async () => {
    const stopping = new AbortController();
    const told: number[] = [];
    let bytes = 0;
    const stopped = move({
      signal: stopping.signal,
      async throttle(length) {
        bytes += length;
      },
      onProgress({ done, of }) {
        expect(of).toBe(ids.length);
        told.push(done);
        if (done === 5) stopping.abort(new Error("stopped"));
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(bytes).toBeGreaterThan(4 * 10);
    expect(await move()).toMatchObject({ missing: { count: 0 } });
  });

  it("S-148: what the database names and the old place has not is told, and the move is not done", async () => {
    await openPlace(old).remove("run_files-4");
    expect(await move()).toMatchObject({ copied: 11, missing: { count: 1, ids: ["run_files-4"] } });
    // Removed meanwhile, with its name: nothing is missing.
    await own.store.pool.query("delete from run_files where id = 'run_files-4'");
    expect(await move()).toMatchObject({ copied: 0, missing: { count: 0 } });
  });

  it("S-148: with --verify what differs is told, and what is damaged is copied once more", async () => {
    await move();
    await openPlace(next).write("run_files-5", contentOf("run_files-6"));
    const key = `next-${round}/files/run_files-7`;
    const object = server.objects.get(key);
    if (object) server.objects.set(key, { ...object, bytes: Buffer.from(contentOf("run_files-8")) });
    expect(await move()).toMatchObject({ copied: 0, different: { count: 0 } });
    expect(await move({ verify: true })).toMatchObject({
      ...{ copied: 1, there: 10, different: { count: 1, ids: ["run_files-5"] } },
    });
    expect(await reads(openPlace(next), "run_files-7")).toBe(contentOf("run_files-7"));
  });

  it("goes back into a folder", async () => {
    await move();
    const back = openPlace({ type: "folder", path: folder.in(`back-${round}`) });
    expect(await move({ from: openPlace(next), to: back })).toMatchObject({ copied: 12 });
    for (const id of ids) expect(await reads(back, id)).toBe(contentOf(id));
  });

  it("S-148: a place in which another database's files lie is refused before anything is copied", async () => {
    const target = openPlace(next);
    expect(await refusalOfPlace(target, own.store)).toBeNull();
    expect(await refusalOfPlace(target, own.store)).toBeNull();
    const used = openPlace(server.place({ prefix: `used-${round}` }));
    await used.addWriter("another");
    expect(await refusalOfPlace(used, own.store)).toBe("files of another database lie there");
    expect(await used.writers()).toEqual(["another"]);
    const full = openPlace(server.place({ prefix: `full-${round}` }));
    await full.write("of-somebody", "x");
    expect(await refusalOfPlace(full, own.store)).toBe("it is not empty (files/of-somebody)");
    expect(await full.writers()).toEqual([]);
  });
});

describe("a service while its files move", () => {
  let app: AgentService;
  let old: FilesPlace;
  let next: FilesPlace;
  beforeAll(async () => {
    old = { type: "folder", path: folder.in("of-the-service") };
    next = server.place({ prefix: "of-the-service" });
    app = await startAgentService({ filesAt: next, filesAlsoAt: old });
  });
  afterAll(() => app.stop());
  async function write(name: string, content: string) {
    const message = `/write_file ${JSON.stringify({ name, content })}`;
    const { body } = await app.start(message, { gummie_id: "agent_offline" });
    expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
    const listed = await app.call("kim", "GET", `/artifacts?session_id=${body.interaction_id}`);
    return listed.body.artifacts[0];
  }
  const move = () =>
    moveFiles({ ...idle, store: app.context.store, from: openPlace(old), to: openPlace(next) });

  it("S-147: while they move, what is in one place only is read from there, and what was deleted does not come back", async () => {
    const [kept, gone] = [await write("kept.md", "From before"), await write("gone.md", "Soon gone")];
    const { rows } = await app.context.store.pool.query<{ file_id: string }>(
      "select file_id from artifact_versions",
    );
    // As if both had been written before the service got its new place.
    for (const { file_id: id } of rows) {
      await openPlace(old).write(id, (await reads(openPlace(next), id)) ?? "");
      await openPlace(next).remove(id);
    }
    expect(await (await fetch(kept.url)).text()).toBe("From before");
    const part = await fetch(kept.url, { headers: { range: "bytes=5-10" } });
    expect([part.status, await part.text()]).toEqual([206, "before"]);
    const young = await write("young.md", "From now");
    expect(await (await fetch(young.url)).text()).toBe("From now");
    const named = await app.context.store.pool.query<{ file_id: string }>(
      "select file_id from artifact_versions order by created_at desc limit 1",
    );
    expect(await openPlace(old).size(named.rows[0]?.file_id ?? "")).toBeNull();

    expect((await app.call("kim", "DELETE", `/artifacts/${gone.id}`)).status).toBe(200);
    await app.context.store.pool.query(
      "update artifacts set removed_at = removed_at - interval '2 days' where removed_at is not null",
    );
    expect(await purgeDeleted(app.context)).toBe(1);
    expect(await move()).toMatchObject({ copied: 1, there: 1, missing: { count: 0 } });
    expect(await move()).toMatchObject({ copied: 0, there: 2 });
    expect(await (await fetch(kept.url)).text()).toBe("From before");
    const target = openPlace(next);
    const there = await Promise.all(rows.map(({ file_id: id }) => reads(target, id)));
    expect(there.filter((one) => one !== null)).toEqual(["From before"]);
  });

  it("reads from the first place what is in both", async () => {
    const [first, second] = [openPlace(next), openPlace(old)];
    await first.write("in-both-places", "the newer");
    await second.write("in-both-places", "the older one");
    const both = withFallback(first, second);
    expect([await both.size("in-both-places"), await reads(both, "in-both-places")]).toEqual([
      9,
      "the newer",
    ]);
    expect([await both.size("in-neither-place"), await reads(both, "in-neither-place")]).toEqual([
      null,
      null,
    ]);
  });
});
