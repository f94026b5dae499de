import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase } from "../../testing/database.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { freePort } from "../../testing/free-port.ts";
import { createPrograms, untilReady } from "../../testing/programs.ts";
import { until } from "../../testing/until.ts";
import { directoryFileStore } from "../files/file-store.ts";

const runCount = 50;
const legs = 120;
const fileCount = 512;
const fileSize = 10_000_000;
const minute = 60_000;
const key = "wh_key_of_ada_for_a_large_backup_0123";
const secret = "a secret that a large backup has, 32+";

const folder = testFolder();
const programs = createPrograms();
/** What was called outside, as `RUN/LEG`, in its order. */
const calls: string[] = [];
const outside = createServer((request, response) => {
  calls.push(request.url?.slice(1) ?? "");
  response.end("{}");
});
let source: EmptyDatabase;
let target: EmptyDatabase;

beforeAll(async () => {
  source = await emptyDatabase();
  target = await emptyDatabase();
  await new Promise<void>((done) => outside.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  outside.close();
  await source.drop();
  await target.drop();
  folder.remove();
});

/** A flow that calls outside once after each pause, one after the other. */
function writeWorkspace(): string {
  const place = folder.in("workspace");
  const { port } = outside.address() as AddressInfo;
  mkdirSync(join(place, "flows"), { recursive: true });
  const nodes = Array.from({ length: legs }, (_, n) => [
    `  wait_${n}: { type: delay, seconds: 3, after: [${n === 0 ? "name" : `leg_${n - 1}`}] }`,
    `  leg_${n}: { type: http, method: POST, url: "http://127.0.0.1:${port}/{{ name.value }}/${n}", after: [wait_${n}] }`,
  ]).flat();
  writeFileSync(
    join(place, "flows/voyage.yaml"),
    ["id: flow_voyage", "name: Voyage", "team: team_sea", "nodes:", "  name: { type: input }", ...nodes].join(
      "\n",
    ),
  );
  writeFileSync(
    join(place, "wheelhouse.yaml"),
    [
      `people: [{ id: user_ada, email: ada@example.com, first_name: Ada, last_name: Sample, plan: pro, key: '\${ADA_KEY}' }]`,
      "teams: [{ id: team_sea, name: Sea, plan: pro, members: [user_ada] }]",
      `allow_private: ["127.0.0.1:${port}"]`,
    ].join("\n"),
  );
  return place;
}

/** Starts a command on one of the two installations. */
const command = (at: EmptyDatabase, args: readonly string[]) =>
  programs.start(args, { DATABASE_URL: at.url, WHEELHOUSE_SECRET: secret, ADA_KEY: key });

/** Runs a command to its end. @returns what it said, and the most of the memory that it had, in MB */
async function measured(at: EmptyDatabase, args: readonly string[]) {
  const { child, said, code } = command(at, args);
  let peakMb = 0;
  const look = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000);
  };
  await until("the command is over", () => child.exitCode !== null || look() !== undefined, 10 * minute);
  expect(await code, said.out + said.err).toBe(0);
  return { said: (said.out + said.err).trim(), peakMb: Math.round(peakMb) };
}

async function serving(at: EmptyDatabase, name: string, workspace: string) {
  const port = await freePort();
  const place = ["--data", folder.in(name), "--files", folder.in(`${name}-files`), "--workspace", workspace];
  const service = command(at, ["start", "--port", String(port), ...place]);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(service, port);
  return {
    ...service,
    url,
    call: async (method: string, path: string, body?: object) =>
      await (
        await fetch(`${url}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      ).json(),
  };
}

it("I-8: 50 runs and 5 GB are backed up and restored in bounded memory, and of each run one side goes on", async () => {
  const workspace = writeWorkspace();
  const original = await serving(source, "original", workspace);
  const names = Array.from({ length: runCount }, (_, n) => `run-${n}`);
  const ids = new Map<string, string>();
  for (const name of names) {
    const started = await original.call(
      "POST",
      "/start_pipeline?user_id=user_ada&saved_item_id=flow_voyage",
      { name },
    );
    ids.set(name, started.run_id);
  }
  const files = directoryFileStore(folder.in("original-files"));
  const bytes = randomBytes(fileSize);
  const store = await source.open();
  for (let n = 0; n < fileCount; n++) {
    bytes.writeUInt32BE(n);
    await files.write(`large-file-${n}`, bytes);
  }
  await store.pool.query(
    `insert into run_files (id, execution_id, name, media_type, size)
     select 'large-file-' || n, $1, 'large-file-' || n, 'application/octet-stream', $2 from generate_series(0, $3 - 1) n`,
    [ids.get("run-0"), fileSize, fileCount],
  );
  await until("each is on its way", () => names.every((name) => calls.includes(`${name}/1`)), 2 * minute);

  const file = folder.in("large.backup");
  const before = calls.length;
  const backedUp = await measured(source, ["backup", file, "--files", folder.in("original-files")]);
  const meanwhile = calls.length - before;
  expect(meanwhile).toBeGreaterThan(runCount);
  expect(statSync(file).size).toBeGreaterThan(fileCount * fileSize);
  const restored = await measured(target, ["restore", file, "--files", folder.in("copy-files")]);
  const copied = directoryFileStore(folder.in("copy-files"));
  for (let n = 0; n < fileCount; n++) expect(await copied.size(`large-file-${n}`)).toBe(fileSize);

  // Both are there: the original goes on, the copy waits.
  const copy = await serving(target, "copy", workspace);
  expect(await (await fetch(`${copy.url}/readyz`)).json()).toEqual({ status: "ready", paused: true });
  const beside = calls.length;
  await until("the original goes on", () => calls.length > beside + runCount, 2 * minute);
  expect(new Set(calls).size).toBe(calls.length);
  original.child.kill("SIGKILL");
  await original.code;
  const atItsEnd = calls.length;
  const copyStore = await target.open();
  const done = await copyStore.pool.query<{ execution_id: string; key: string }>(
    "select execution_id, key from steps where state = 'done' and key like '%leg_%'",
  );
  const resumed = await measured(target, ["resume"]);
  expect(calls.length).toBe(atItsEnd);

  const ended = new Set<string>();
  await until(
    "all runs are over",
    async () => {
      for (const id of ids.values()) {
        if (ended.has(id)) continue;
        const run = await copy.call("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
        if (run.state === "DONE") ended.add(id);
        else expect(run.state).toMatch(/^(QUEUED|RUNNING|IN_PROGRESS|PENDING)$/);
      }
      return ended.size === ids.size;
    },
    20 * minute,
  );
  const again = calls.slice(atItsEnd);
  // Each call once on this side, none that had been recorded by the moment of the backup, and all others.
  expect(new Set(again).size).toBe(again.length);
  expect(again.length + done.rows.length).toBe(runCount * legs);
  expect(await brokenInvariants(copyStore)).toEqual([]);
  copy.child.kill("SIGTERM");
  await copy.code;
  await store.close();
  await copyStore.close();
  const gigabytes = (fileCount * fileSize) / 1e9;
  process.stdout.write(
    `${backedUp.said}\n${restored.said}\n${resumed.said}\n${gigabytes} GB of files and ${runCount} runs: ${meanwhile} calls during the backup (most memory ${backedUp.peakMb} MB), restored with ${restored.peakMb} MB; ${done.rows.length} calls were recorded by then, ${again.length} made by the copy\n`,
  );
}, 3_600_000);
