import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import type { FileStore } from "../files/file-store.ts";
import { addFiles } from "./add-files.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());

it("S-08: when the disk is full in the middle, nothing of what was sent stays behind", async () => {
  const { context } = service;
  const written = new Set<string>();
  const files: FileStore = {
    ...context.files,
    async write(id, content) {
      if (written.size === 2) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      written.add(id);
      return await context.files.write(id, content);
    },
    async remove(id) {
      await context.files.remove(id);
      written.delete(id);
    },
  };
  const given = ["a.txt", "b.txt", "c.txt"].map((name) => ({ name, bytes: Buffer.from(name) }));
  const adding = addFiles({ ...context, files }, "source_handbook", given);
  await expect(adding).rejects.toMatchObject({ code: "ENOSPC" });
  expect([...written]).toEqual([]);
});
