import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { backup } from "./backup.ts";
import { parseCommand } from "./parse-command.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-backup-"));
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

test("a backup that its database does not let be recorded ends with 1, and lets go of the database", async () => {
  const environment = { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: "a secret of 32 characters or more" };
  const command = parseCommand(["backup", "some.backup", "--files", folder], environment, folder);
  if (command.type !== "backup") throw new Error(`It was read as ${command.type}`);
  // As one that follows another one, or whose disk is full.
  await fresh.store.pool.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`);
  const said: string[] = [];
  const terminal = { print: (line: string) => said.push(line), complain: (line: string) => said.push(line) };
  const refused = backup(command.config, command, terminal);
  await refused.then(
    (code) => expect(code).toBe(1),
    (error: unknown) => expect(String(error)).toContain("read-only"),
  );
  await until("it has let go", async () => {
    const { rows } = await fresh.store.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'wheelhouse backup'`,
    );
    return rows.length === 0;
  });
});
