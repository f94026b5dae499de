import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { builtFile } from "../../testing/built.ts";
import { emptyDatabase } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { until } from "../../testing/until.ts";

const folder = testFolder();
afterAll(() => folder.remove());

/** A pipe that nobody reads: `fill` until nothing more goes into it. */
function unreadPipe(name: string) {
  const path = folder.in(name);
  execFileSync("mkfifo", [path]);
  // Where nobody has it open to read, nobody can open it to write.
  const end = openSync(path, constants.O_RDWR);
  return {
    end,
    fill() {
      const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      const takes = () => {
        try {
          return writeSync(writing, "x".repeat(4_096)) > 0;
        } catch {
          return false;
        }
      };
      while (takes());
      closeSync(writing);
    },
    close: () => closeSync(end),
  };
}

/** The end to write of a pipe whose reader is gone once `close` was called. */
function closedPipe(name: string) {
  const path = folder.in(name);
  execFileSync("mkfifo", [path]);
  const reading = openSync(path, constants.O_RDWR);
  const end = openSync(path, constants.O_WRONLY);
  const close = () => [reading, end].forEach(closeSync);
  return { end, close };
}

function startWith(
  args: readonly string[],
  database: string,
  stdio: [out: number | "ignore", err: number | "ignore"],
) {
  const places = ["--data", folder.in("data"), "--files", folder.in("files")];
  const child = spawn(process.execPath, [builtFile("service/main"), "start", ...args, ...places], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database },
      WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
    },
    stdio: ["ignore", ...stdio],
  });
  return { child, code: new Promise<number | null>((done) => child.once("exit", done)) };
}

it("a service ends when it is told to, although whatever takes its log does not read any more", async () => {
  const database = await emptyDatabase();
  const port = await freePort();
  const pipe = unreadPipe("full-later");
  const { child, code } = startWith(["--port", String(port)], database.url, ["ignore", pipe.end]);
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  try {
    await until("it is ready", async () => (await ask("/readyz"))?.status === 200, 30_000);
    pipe.fill();
    expect((await ask("/api/v1/runs"))?.status).toBe(401);
    child.kill("SIGTERM");
    await until("it has ended", () => child.exitCode !== null, 25_000);
    expect(await code).toBe(0);
  } finally {
    child.kill("SIGKILL");
    await code;
    pipe.close();
    await database.drop();
  }
}, 90_000);

it.each([
  ["a wrong flag", ["--drain", "never"], 2],
  ["a database that is not there", [], 1],
])(
  "a start that fails for %s ends although what takes its log does not read, or is gone",
  async (_, args, expected) => {
    const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const [full, closed] = [unreadPipe(`full-${expected}`), closedPipe(`closed-${expected}`)];
    full.fill();
    const ports = [await freePort(), await freePort()];
    const started = [full, closed].map(({ end }, at) =>
      startWith(["--port", String(ports[at]), ...args], nowhere, ["ignore", end]),
    );
    closed.close();
    try {
      await until("both have ended", () => started.every(({ child }) => child.exitCode !== null), 25_000);
      expect(await Promise.all(started.map(({ code }) => code))).toEqual([expected, expected]);
    } finally {
      for (const { child } of started) child.kill("SIGKILL");
      full.close();
    }
  },
  60_000,
);

/** What a service answers while it runs, and with which code it ends when it is told to. */
async function runWith(stdio: [out: number | "ignore", err: number | "ignore"], started: () => void) {
  const database = await emptyDatabase();
  const port = await freePort();
  const { child, code } = startWith(["--port", String(port)], database.url, stdio);
  started();
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  try {
    await until("it is ready", async () => (await ask("/readyz"))?.status === 200, 30_000);
    const answers: (number | undefined)[] = [];
    for (const path of ["/api/v1/runs", "/api/v1/agents"]) answers.push((await ask(path))?.status);
    child.kill("SIGTERM");
    return { answers, code: await code };
  } finally {
    child.kill("SIGKILL");
    await code;
    await database.drop();
  }
}

it("a service goes on although whoever read what it said at its start is gone", async () => {
  const pipe = closedPipe("closed");
  expect(await runWith([pipe.end, "ignore"], pipe.close)).toEqual({ answers: [401, 401], code: 0 });
}, 90_000);

it("a service goes on although its log cannot be written, as on a disk that is full", async () => {
  const full = openSync("/dev/full", "w");
  expect(await runWith(["ignore", full], () => closeSync(full))).toEqual({ answers: [401, 401], code: 0 });
}, 90_000);
