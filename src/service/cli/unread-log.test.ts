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
function unreadPipe() {
  const path = folder.in("pipe");
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

it("a service ends when it is told to, although whatever takes its log does not read any more", async () => {
  const database = await emptyDatabase();
  const port = await freePort();
  const pipe = unreadPipe();
  const places = ["--port", String(port), "--data", folder.in("data"), "--files", folder.in("files")];
  const child = spawn(process.execPath, [builtFile("service/main"), "start", ...places], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database.url },
      WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
    },
    stdio: ["ignore", "ignore", pipe.end],
  });
  const code = new Promise<number | null>((done) => child.once("exit", done));
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
