import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAgentService } from "../../../testing/agents.ts";
import { brokenInvariants, ended } from "../../../testing/engine.ts";
import { readLog } from "../../../testing/executions.ts";
import { fileStoreSuite } from "../../../testing/file-store-suite.ts";
import { type ObjectStore, obtainS3rver, obtainSwift } from "../../../testing/object-stores.ts";
import { until } from "../../../testing/until.ts";
import type { S3Place } from "../../config.ts";
import { toJson } from "../../store/json.ts";
import { s3FileStore } from "./s3-file-store.ts";

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "nothing is wrong",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

/** What may not be installed here is left out, and says so. */
const stores = [obtainS3rver(), obtainSwift()];
for (const { missing } of stores) if (missing !== null) process.stderr.write(`left out: ${missing}\n`);

describe.each(stores.filter(({ missing }) => missing === null))(
  "on a real object store, $name",
  ({ checksSignatures, open }) => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await open();
    }, 120_000);
    afterAll(() => store.stop());

    describe("files", () => fileStoreSuite(() => s3FileStore(store.place())));
    describe("files of a whole bucket", () => fileStoreSuite(() => s3FileStore(store.place({ prefix: "" }))));

    test("lists more than a page of a thousand", async () => {
      const files = s3FileStore(store.place({ prefix: "many" }));
      const ids = Array.from({ length: 1_050 }, (_, n) => `file_${String(n).padStart(6, "0")}`);
      for (let at = 0; at < ids.length; at += 20)
        await Promise.all(ids.slice(at, at + 20).map((id) => files.write(id, id)));
      const found: string[] = [];
      for await (const id of files.writtenBefore(new Date(8.64e15))) found.push(id);
      expect(found.sort()).toEqual(ids);
      await files.clear();
      expect(await files.contents()).toEqual([]);
    });

    test.each<[string, (place: S3Place) => Partial<S3Place>, RegExp]>([
      ["no such bucket", () => ({ bucket: "elsewhere" }), /no bucket elsewhere/],
      [
        "an unknown key",
        ({ credentials }) => ({ credentials: { ...credentials, accessKeyId: "nobody" } }),
        /AWS_ACCESS_KEY_ID/,
      ],
      ["nothing at the endpoint", () => ({ endpoint: "http://127.0.0.1:9" }), /AWS_ENDPOINT_URL_S3/],
    ])("S-144: says which setting is wrong: %s", async (_, changes, expected) => {
      const said = await failure(s3FileStore(store.place(changes(store.place()))).check());
      expect(said).toMatch(expected);
    });

    test.runIf(checksSignatures)(
      "S-144: says which setting is wrong: a secret that is another's",
      async () => {
        const { credentials } = store.place();
        const place = store.place({ credentials: { ...credentials, secretAccessKey: "wrong" } });
        expect(await failure(s3FileStore(place).check())).toMatch(/AWS_SECRET_ACCESS_KEY/);
      },
    );

    test("many read and write at once, in bounded memory", async () => {
      const files = s3FileStore(store.place({ prefix: "busy" }));
      const bytes = randomBytes(9_000_000);
      const before = process.memoryUsage().rss;
      await Promise.all(
        Array.from({ length: 12 }, async (_, n) => {
          await files.write(
            `file_busy${n}`,
            Readable.from([bytes.subarray(0, 4_000_000), bytes.subarray(4_000_000)]),
          );
          const stream = await files.read(`file_busy${n}`);
          expect(stream !== null && bytes.equals(await buffer(stream))).toBe(true);
        }),
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(1_000_000_000);
      await files.clear();
    });

    test("S-146: it is killed under runs that write: they wait, and end well when it is back", async () => {
      const app = await startAgentService({ filesAt: store.place({ prefix: "service" }), concurrency: 4 });
      try {
        const nodes = [
          { id: "write", node: { type: "file", name: "a.txt", content: "x".repeat(50_000) } },
          { id: "end", node: { type: "output", value: "{{ write.value }}" } },
        ];
        const flow = { id: "flow_file", user_id: "user_kim", name: "File", removed_at: null };
        await app.context.store.db
          .insertInto("saved_items")
          .values({ ...flow, definition: toJson({ nodes }) })
          .execute();
        const start = async (): Promise<string> =>
          (await app.call("kim", "POST", "/start_pipeline?user_id=user_kim&saved_item_id=flow_file", {})).body
            .run_id;
        const before = await Promise.all(Array.from({ length: 10 }, start));
        await store.kill();
        const during = await Promise.all(Array.from({ length: 10 }, start));
        const [last = ""] = during.slice(-1);
        await until("one waits", async () =>
          (await readLog(app.context.store.db, last)).some((line) => line.includes("file storage")),
        );
        expect(await (await fetch(`${app.service.url}/readyz`)).json()).toMatchObject({
          files: "unavailable",
        });
        await store.start();
        for (const id of [...before, ...during])
          expect(await ended(app.context.store, id)).toMatchObject({ state: "done" });
        const { rows } = await app.context.store.pool.query<{ id: string }>("select id from run_files");
        expect(rows).toHaveLength(20);
        for (const { id } of rows) expect(await app.context.files.size(id)).toBe(50_000);
        expect(await brokenInvariants(app.context.store)).toEqual([]);
      } finally {
        await app.stop();
      }
    });
  },
);
