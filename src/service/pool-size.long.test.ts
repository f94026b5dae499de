import { type ChildProcess, spawn } from "node:child_process";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { testFolder } from "../testing/backup.ts";
import { builtFile } from "../testing/built.ts";
import { type EmptyDatabase, emptyDatabase } from "../testing/database.ts";
import { freePort } from "../testing/free-port.ts";
import { root } from "../testing/source-files.ts";
import { until } from "../testing/until.ts";

/** What a process has beside its pool: the queue's (6), and one that listens. */
const besides = 7;
/** How long each size is tried, in milliseconds. */
const triedMs = 8_000;
const clients = 40;
const key = "wh_key_of_ada_for_sizes_of_pools_01";

const folder = testFolder();
let child: ChildProcess;
let database: EmptyDatabase;
afterEach(async () => {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await closed;
  await database.drop();
  folder.remove();
});

const middle = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

test.each([5, 10, 20, 40])(
  "a pool of %d: no request fails, and the process has seven connections more at most",
  async (size) => {
    database = await emptyDatabase();
    const port = await freePort();
    const flags = ["--port", String(port), "--data", folder.in("data"), "--files", folder.in("files")];
    child = spawn(
      process.execPath,
      [builtFile("service/main"), "start", ...flags, "--connections", String(size)],
      {
        cwd: root,
        stdio: "ignore",
        env: {
          ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database.url },
          ...{ WHEELHOUSE_SECRET: "a secret for sizes of pools, 32 and more", WHEELHOUSE_ADA_KEY: key },
        },
      },
    );
    const base = `http://127.0.0.1:${port}`;
    await until("it is ready", async () => (await fetch(`${base}/readyz`).catch(() => null))?.status === 200);
    const watcher = new pg.Client({ connectionString: database.url });
    await watcher.connect();
    let most = 0;
    const count = async () => {
      const { rows } = await watcher.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return rows[0]?.n ?? 0;
    };
    const idle = await count();
    const times = { start: [] as number[], poll: [] as number[] };
    const failed: unknown[] = [];
    let last = "";
    const ask = async (what: keyof typeof times, method: string, path: string) => {
      const begun = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${base}/api/v1${path}`, {
        method,
        headers,
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      const body = await answer.json();
      times[what].push(performance.now() - begun);
      if (!answer.ok) failed.push([what, answer.status, body]);
      return body;
    };
    const end = performance.now() + triedMs;
    const client = async (at: number) => {
      while (performance.now() < end) {
        if (at % 4 === 0 || last === "")
          last =
            (await ask("start", "POST", "/start_pipeline?user_id=user_ada&saved_item_id=flow_report"))
              .run_id ?? last;
        else await ask("poll", "GET", `/get_pl_run?run_id=${last}&user_id=user_ada`);
      }
    };
    const watching = async () => {
      while (performance.now() < end) most = Math.max(most, await count());
    };
    await Promise.all([watching(), ...Array.from({ length: clients }, (_, at) => client(at))]);
    await watcher.end();
    const rate = (values: readonly number[]) => `${Math.round(values.length / (triedMs / 1_000))} a second`;
    const slow = (values: readonly number[]) =>
      `${Math.round(middle(values, 0.5))} ms, 99 % within ${Math.round(middle(values, 0.99))} ms`;
    process.stdout.write(
      `pool of ${size}: ${idle} connections at rest, ${most} at most; starts ${rate(times.start)} (${slow(times.start)}), polls ${rate(times.poll)} (${slow(times.poll)})\n`,
    );
    expect(failed).toEqual([]);
    expect(most).toBeLessThanOrEqual(size + besides);
  },
);
