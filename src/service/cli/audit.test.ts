import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditEntries } from "../../testing/audit.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { auditKey } from "../audit/chain.ts";
import { recordCommand } from "../audit/record.ts";
import { sealPending } from "../audit/seal.ts";
import { randomIds } from "../context.ts";
import { createKey } from "../credentials/keys.ts";
import { createSigner } from "../credentials/signer.ts";
import { auditVerify } from "./audit.ts";
import { keys } from "./keys.ts";
import { parseCommand } from "./parse-command.ts";

const before = "the secret of before, of 32 characters or more";
const now = "the secret of now, which has 32 characters too";
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-verify-"));
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  for (const secret of [before, now]) {
    await recordCommand(fresh.store.db, { action: "key.create", object: { kind: "key", id: "key_1" } });
    await sealPending(fresh.store, auditKey(createSigner(secret)));
  }
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

/** What the command prints, with the code that it ends with at the end. */
async function verify(...flags: string[]): Promise<string> {
  const environment = { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: now };
  const command = parseCommand(["audit", "verify", "--data", folder, ...flags], environment, folder);
  if (command.type !== "audit-verify") throw new Error(`It was read as ${command.type}`);
  const said: string[] = [];
  const terminal = { print: (line: string) => said.push(line), complain: (line: string) => said.push(line) };
  const code = await auditVerify(
    command.config,
    command.verify,
    { log: pino({ level: "silent" }) },
    terminal,
  );
  return [...said, code].join("\n");
}

test("S-155: the command ends with 3 where another secret has sealed some, and with 0 once that is given", async () => {
  const without = await verify();
  expect(without).toContain("A part of the audit log cannot be verified: 2 entries, 1 to 2.");
  expect(without).toMatch(/Entry 1 cannot be verified with this secret[\s\S]*\n3$/);
  writeFileSync(join(folder, "former"), `${before}\n`);
  expect(await verify("--former-secrets", "former")).toMatch(/The audit log is whole: 2 entries[\s\S]*\n0$/);
  await fresh.store.pool.query(`update audit_log set entry = '{}' where position = 1`);
  expect(await verify("--former-secrets", "former")).toMatch(/Entry 1 is not what was sealed[\s\S]*\n1$/);
});

test("S-155: a file that holds no secrets is refused", async () => {
  writeFileSync(join(folder, "short"), "too short\n");
  await expect(verify("--former-secrets", "short")).rejects.toThrow(/--former-secrets must be a file/);
});

test("a team's admins see who revoked its key, also where that was done on the command line", async () => {
  const { store } = fresh;
  await store.db.insertInto("teams").values({ id: "team_red", name: "Red", plan: "pro" }).execute();
  const { id } = await createKey(store.db, randomIds, { kind: "team", id: "team_red" }, "Nightly");
  const environment = { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: now };
  const command = parseCommand(["keys", "revoke", id, "--data", folder], environment, folder);
  if (command.type !== "keys") throw new Error(`It was read as ${command.type}`);
  const log = { log: pino({ level: "silent" }), file: null, flush: () => {} };
  const terminal = { print: () => {}, complain: () => {} };
  expect(await keys(command.config, command.action, log, terminal)).toBe(0);
  expect((await auditEntries(fresh)).at(-1)).toMatchObject({
    ...{ action: "key.revoke", object_id: id, object_name: "Nightly", team_id: "team_red" },
  });
});
