import { afterAll, beforeAll, expect, it } from "vitest";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { startService, type TestService } from "../../testing/service.ts";
import type { FileStore } from "../files/file-store.ts";
import { addFiles } from "./add-files.ts";

let proxy: DatabaseProxy;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    work: false,
    async through(url) {
      proxy = await databaseProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
});

/** The service's files, and which of those that were written since are still there. */
function watched(fault: Partial<FileStore> = {}) {
  const there = new Set<string>();
  const files: FileStore = {
    ...service.context.files,
    async write(id, content) {
      if (there.size === 2) await fault.write?.(id, content);
      there.add(id);
      return await service.context.files.write(id, content);
    },
    async remove(id) {
      await fault.remove?.(id);
      await service.context.files.remove(id);
      there.delete(id);
    },
  };
  return { files, there };
}
const given = (...texts: string[]) =>
  texts.map((text, index) => ({ name: `${"abc"[index]}.txt`, bytes: Buffer.from(text) }));
const named = async () => {
  const { rows } = await service.context.store.pool.query<{ content_id: string }>(
    "select content_id from knowledge_files where file_name like '_.txt' order by file_name",
  );
  return rows.map(({ content_id }) => content_id);
};
async function lacking(): Promise<string[]> {
  const lost: string[] = [];
  for (const id of await named()) if ((await service.context.files.size(id)) === null) lost.push(id);
  return lost;
}
const fails = (code: string) => async () => {
  throw Object.assign(new Error("the disk says no"), { code });
};

it("S-08: when the disk is full in the middle, nothing of what was sent stays behind", async () => {
  const { files, there } = watched({ write: fails("ENOSPC") });
  const adding = addFiles({ ...service.context, files }, "source_handbook", given("a", "b", "c"));
  await expect(adding).rejects.toMatchObject({ code: "ENOSPC" });
  expect([...there]).toEqual([]);
});

it("nothing of what was sent stays behind where the source is gone meanwhile", async () => {
  const { files, there } = watched();
  const adding = addFiles({ ...service.context, files }, "source_gone", given("a", "b"));
  await expect(adding).rejects.toThrow();
  expect([...there]).toEqual([]);
});

it.each([
  // The text of the second time is new, so that there is something to take the place of.
  ["the database has it, and its answer is lost", "answered", "1"],
  ["the database has it over what was there, and its answer is lost", "answered", "2"],
  ["the database never got it", "before", "3"],
] as const)("a file that the index names keeps its bytes when %s", async (_, when, mark) => {
  const before = await named();
  const { files } = watched();
  proxy.breakAt("commit", when, 'insert into "knowledge_files"');
  const adding = addFiles({ ...service.context, files }, "source_handbook", given(`a${mark}`, `b${mark}`));
  await expect(adding).rejects.toThrow();
  const after = await named();
  expect(after).toHaveLength(2);
  expect(after.join() === before.join()).toBe(when === "before");
  expect(await lacking()).toEqual([]);
});

it("files are taken though the bytes of before cannot be removed just now", async () => {
  await addFiles(service.context, "source_handbook", given("first", "second"));
  const { files } = watched({ remove: fails("EIO") });
  const { files: rows } = await addFiles({ ...service.context, files }, "source_handbook", given("third"));
  expect(await named()).toContain(rows[0]?.content_id);
  expect(await lacking()).toEqual([]);
});
