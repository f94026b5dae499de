import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { emptyDatabase } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { failingDisk, fillUp, type Said, startWith, unreadPipe } from "../../testing/unread-pipes.ts";
import { until } from "../../testing/until.ts";

const folder = testFolder();
const disk = smallDisk(300_000);
afterAll(() => {
  folder.remove();
  disk?.unmount();
});

interface Running {
  readonly port: number;
  kill(signal: NodeJS.Signals): void;
  hasEnded(): boolean;
}

/** What a service does until it has ended, and its exit code. */
async function running(stdio: Said, args: readonly string[], during: (service: Running) => Promise<void>) {
  const database = await emptyDatabase();
  const port = await freePort();
  const { child, code } = startWith(["--port", String(port), ...args], database.url, folder.path, stdio);
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
  try {
    await until("it is ready", async () => child.exitCode !== null || (await isReady()), 30_000);
    const hasEnded = () => child.exitCode !== null;
    await during({ port, kill: (signal) => child.kill(signal), hasEnded });
    await until("it has ended", hasEnded, 15_000);
    return await code;
  } finally {
    child.kill("SIGKILL");
    await code;
    await database.drop();
  }
}

/** Twice, as a hurried person does; what npm passes on of the first one counts as the same. */
async function pressTwice({ kill, hasEnded }: Running) {
  kill("SIGINT");
  await until("the second one is heard", () => {
    kill("SIGINT");
    return hasEnded();
  });
}

test("S-334: a second Ctrl-C ends a service whose log is not read any more", async () => {
  const pipe = unreadPipe(folder.in("full"));
  try {
    const code = await running(["ignore", pipe.end], ["--drain", "20"], async (service) => {
      pipe.fill();
      expect((await fetch(`http://127.0.0.1:${service.port}/api/v1/runs`)).status).toBe(401);
      await pressTwice(service);
    });
    expect(code).toBe(130);
  } finally {
    pipe.close();
  }
}, 90_000);

// Only Linux has it.
describe.skipIf(process.platform !== "linux")("S-334: on a disk that is full", () => {
  const withFull = async <T>(use: (full: number) => Promise<T>): Promise<T> => {
    const full = openSync("/dev/full", "w");
    try {
      return await use(full);
    } finally {
      closeSync(full);
    }
  };

  test("a second Ctrl-C ends a service whose log lies there", async () => {
    const code = await withFull((full) => running(["ignore", full], ["--drain", "20"], pressTwice));
    expect(code).toBe(130);
  }, 90_000);

  test("a start that fails ends although it cannot say why", async () => {
    const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    await withFull(async (full) => {
      const port = String(await freePort());
      const { child, code } = startWith(["--port", port], nowhere, folder.path, [full, full]);
      await until("it has ended", () => child.exitCode !== null, 15_000).finally(() => child.kill("SIGKILL"));
      expect(await code).toBe(1);
    });
  }, 60_000);

  test("a service runs although what it says at its start cannot be written", async () => {
    const code = await withFull((full) =>
      running([full, "ignore"], [], async ({ port, kill }) => {
        expect((await fetch(`http://127.0.0.1:${port}/api/v1/runs`)).status).toBe(401);
        kill("SIGTERM");
      }),
    );
    expect(code).toBe(0);
  }, 90_000);
});

test.skipIf(process.platform !== "linux")(
  "S-340: a service whose log and words lie on a disk that fails goes on, and ends when it is told to",
  async () => {
    const failing = failingDisk();
    const code = await running([failing, failing], [], async ({ port, kill, hasEnded }) => {
      const asked = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/runs`)).status;
      // Each has a line in the log; more than wait together for one write.
      const all = await Promise.all(Array.from({ length: 300 }, asked));
      expect(new Set(all)).toEqual(new Set([401]));
      expect([await asked(), hasEnded()]).toEqual([401, false]);
      kill("SIGTERM");
    });
    closeSync(failing);
    expect(code).toBe(0);
  },
  90_000,
);

test.skipIf(disk === null)(
  "S-334: a service whose last lines are the first that its disk has no room for ends when it is told to",
  async () => {
    const log = openSync(join(disk?.path ?? "", "log"), "a");
    const code = await running(["ignore", log], [], async ({ kill }) => {
      fillUp(openSync(join(disk?.path ?? "", "ballast"), "a"));
      kill("SIGTERM");
    });
    closeSync(log);
    expect(code).toBe(0);
  },
  90_000,
);
