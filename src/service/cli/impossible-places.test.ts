import { existsSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { createPrograms } from "../../testing/programs.ts";

const folder = testFolder();
const programs = createPrograms();
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  writeFileSync(folder.in("a-file"), "");
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  await fresh.drop();
  folder.remove();
});

const inFile = folder.in("a-file/files");

test.each([
  [`files move --files ${folder.in("old")} --to ${inFile}`, "--to", inFile, "ENOTDIR"],
  [`files move --files ${folder.in("old")} --to /proc/none/files`, "--to", "/proc/none/files", "ENOENT"],
  [`files adopt --files ${inFile}`, "--files", inFile, "ENOTDIR"],
])(
  "S-424: %s says in one line which place cannot be used and why, and the audit log tells of nothing",
  async (line, flag, place, why) => {
    const { said, code } = programs.start([...line.split(" "), "--data", folder.in("data")], {
      DATABASE_URL: fresh.url,
      WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
    });
    expect([await code, said.out]).toEqual([1, ""]);
    expect(said.err).toBe(
      `${flag}: ${place} cannot be used (${why}). Name a folder that this account may write to.\n`,
    );
    const { rows } = await fresh.store.pool.query("select from audit_pending");
    expect(rows).toEqual([]);
    expect(existsSync(folder.in("old"))).toBe(false);
  },
  60_000,
);
