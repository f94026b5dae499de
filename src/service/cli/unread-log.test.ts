import { closeSync, openSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { emptyDatabase } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { closedPipe, type Said, startWith, unreadPipe } from "../../testing/unread-pipes.ts";
import { until } from "../../testing/until.ts";

const folder = testFolder();
afterAll(() => folder.remove());

it("a service ends when it is told to, although whatever takes its log does not read any more", async () => {
  const database = await emptyDatabase();
  const port = await freePort();
  const pipe = unreadPipe(folder.in("full-later"));
  const { child, code } = startWith(["--port", String(port)], database.url, folder.path, [
    "ignore",
    pipe.end,
  ]);
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
    const [full, closed] = [
      unreadPipe(folder.in(`full-${expected}`)),
      closedPipe(folder.in(`closed-${expected}`)),
    ];
    full.fill();
    const ports = [await freePort(), await freePort()];
    const started = [full, closed].map(({ end }, at) =>
      startWith(["--port", String(ports[at]), ...args], nowhere, folder.path, ["ignore", end]),
    );
    closed.close();
    try {
      await until("both have ended", () => started.every(({ child }) => child.exitCode !== null), 15_000);
      expect(await Promise.all(started.map(({ code }) => code))).toEqual([expected, expected]);
    } finally {
      for (const { child } of started) child.kill("SIGKILL");
      full.close();
    }
  },
  60_000,
);

/** What a service answers while it runs, and with which code it ends when it is told to. */
async function runWith(stdio: Said, started: () => void) {
  const database = await emptyDatabase();
  const port = await freePort();
  const { child, code } = startWith(["--port", String(port)], database.url, folder.path, stdio);
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
  const pipe = closedPipe(folder.in("closed"));
  expect(await runWith([pipe.end, "ignore"], pipe.close)).toEqual({ answers: [401, 401], code: 0 });
}, 90_000);

it("a service goes on although its log cannot be written, as on a disk that is full", async () => {
  const full = openSync("/dev/full", "w");
  expect(await runWith(["ignore", full], () => closeSync(full))).toEqual({ answers: [401, 401], code: 0 });
}, 90_000);
