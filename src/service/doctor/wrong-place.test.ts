import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { auditKey } from "../audit/chain.ts";
import { recordCommand } from "../audit/record.ts";
import { sealPending } from "../audit/seal.ts";
import { parseCommand } from "../cli/parse-command.ts";
import { createSigner } from "../credentials/signer.ts";
import { directoryFileStore } from "../files/file-store.ts";
import { examine } from "./examine.ts";

const secret = "the secret of this installation, 32+";
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-wrong-place-"));
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  await recordCommand(fresh.store.db, { action: "key.create", object: { kind: "key", id: "key_1" } });
  await sealPending(fresh.store, auditKey(createSigner(secret)));
  await fresh.store.pool.query(
    "insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}')",
  );
  for (const id of ["file-number-1", "file-number-2"]) {
    await directoryFileStore(join(folder, "files")).write(id, "bytes");
    await fresh.store.pool.query(
      "insert into run_files (id, execution_id, name, media_type, size) values ($1, 'run', $1, 'text/plain', 5)",
      [id],
    );
  }
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

async function found(check: string, files: string, own = secret) {
  const environment = { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: own };
  const command = parseCommand(
    ["doctor", "--port", "0", "--files", ...files.split(" ")],
    environment,
    folder,
  );
  if (command.type !== "doctor") throw new Error("not the command that was asked for");
  return (await examine(command.config, true)).find((finding) => finding.check === check);
}

it("S-414: says of another secret than the one that the database was used with last that it is another", async () => {
  expect(await found("database.secret", "files")).toMatchObject({ state: "ok" });
  expect(await found("database.secret", "files", `another: ${secret}`)).toMatchObject({
    ...{ state: "warning", found: expect.stringContaining("another secret") },
    action: expect.stringContaining("WHEELHOUSE_SECRET"),
  });
});

it("S-414: says of another place for files than the one where those of the database lie how many are not there", async () => {
  expect(await found("files.there", "files")).toMatchObject({ state: "ok" });
  expect(await found("files.there", "elsewhere")).toMatchObject({
    ...{ state: "problem", found: expect.stringContaining("2 of 2 files") },
    action: expect.stringContaining("--files"),
  });
  expect(await found("files.there", "elsewhere --files-also files")).toMatchObject({ state: "ok" });
});
