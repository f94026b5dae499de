import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { createPrograms, untilReady } from "../../testing/programs.ts";
import { root } from "../../testing/source-files.ts";
import { until } from "../../testing/until.ts";
import { handovers } from "../store/migrations/0077_handovers.ts";
import { parseCommand } from "./parse-command.ts";
import { upgrade } from "./upgrade.ts";

const folder = testFolder();
let fresh: FreshStore;
const programs = createPrograms();
const secret = "a secret that only tests have, 32+";
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  await fresh.drop();
  folder.remove();
});

/** As a database of before it: the change is pending. */
const forget = () => fresh.store.pool.query("delete from migrations where name = $1", [handovers.name]);
const isThere = async () => {
  const found = await fresh.store.pool.query("select from migrations where name = $1", [handovers.name]);
  return found.rows.length === 1;
};

async function told(line: string) {
  const command = parseCommand(line.split(" "), { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: secret }, root);
  if (command.type !== "upgrade") throw new Error("not the command that was asked for");
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const code = await upgrade(command.config, command, { print: say, complain: say });
  return { code, said: said.join("\n") };
}

const start = (port: number) =>
  programs.start(
    ["start", "--empty", "--port", String(port), "--files", folder.in("files"), "--data", folder.in("data")],
    { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: secret },
  );

const status = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status;

describe("a change of the schema", () => {
  it("S-196: that fails ends the upgrade and a start with 1, by its name, and nothing is changed", async () => {
    // What it adds is there already.
    await forget();
    expect(await told("upgrade")).toEqual({ code: 1, said: expect.stringContaining(handovers.name) });
    const { code, said } = start(await freePort());
    expect([await code, said.err]).toEqual([1, expect.stringContaining(handovers.name)]);
    expect(await isThere()).toBe(false);
  }, 300_000);

  it("S-197: that takes its time is not killed by readiness: the process is alive, not ready, and then both", async () => {
    await fresh.store.pool.query("alter table takeovers drop column is_handover");
    const holder = await fresh.store.pool.connect();
    await holder.query("begin; lock table takeovers in access exclusive mode");
    const port = await freePort();
    const started = start(port);
    await until("it waits for the table", async () => {
      const { rows } = await fresh.store.pool.query(
        "select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted",
      );
      return rows.length > 0;
    });
    await until("it is alive", async () => (await status(port, "/healthz")) === 200);
    expect(await status(port, "/readyz")).toBe(503);
    expect(await isThere()).toBe(false);
    await holder.query("commit");
    holder.release();
    await untilReady(started, port);
    expect(await status(port, "/healthz")).toBe(200);
    expect(await isThere()).toBe(true);
  }, 300_000);
});
