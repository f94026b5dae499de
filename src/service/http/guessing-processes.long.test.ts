import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtFile } from "../../testing/built.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { addPeople, keyOf } from "../../testing/people.ts";
import { until } from "../../testing/until.ts";
import { usualGuessLimits } from "../guessing/guesses.ts";

let fresh: FreshStore;
let key = "";
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-guessing-"));
const running = new Set<ChildProcess>();
beforeAll(async () => {
  fresh = await freshStore();
  await addPeople(fresh.store);
  const ann = "{ id: user_ann, email: ann@example.com, first_name: ann, last_name: Test, plan: pro }";
  writeFileSync(join(folder, "wheelhouse.yaml"), `people:\n  - ${ann}\n`);
  key = await keyOf(fresh.store, { kind: "person", id: "user_ann" });
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
  await fresh.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Served {
  readonly child: ChildProcess;
  /** Sends a key. @returns the status of the answer */
  send(sent: string): Promise<number>;
  /** Sends a sign-in link's secret. @returns the status of the answer */
  exchange(token: string): Promise<number>;
}

/** A whole service in a process of its own, on the one database, as `wheelhouse start` runs it. */
async function serve(): Promise<Served> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      builtFile("service/main"),
      "start",
      "--empty",
      "--port",
      `${port}`,
      "--data",
      folder,
      "--workspace",
      folder,
      "--files",
      join(folder, "files"),
    ],
    {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: fresh.url,
        WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
      },
      stdio: "ignore",
    },
  );
  running.add(child);
  const url = `http://127.0.0.1:${port}`;
  await until("the service is ready", async () => {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    return answer?.status === 200;
  });
  return {
    child,
    send: async (sent) =>
      (await fetch(`${url}/api/v1/agents`, { headers: { authorization: `Bearer ${sent}` } })).status,
    exchange: async (token) =>
      (
        await fetch(`${url}/api/v1/console/sessions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token }),
        })
      ).status,
  };
}

test("S-189: two services count what one network guesses together, and a third that starts later knows", async () => {
  const [one, two] = await Promise.all([serve(), serve()]);
  const { atOnce } = usualGuessLimits.network;
  const began = performance.now();
  const told = { one: [] as number[], two: [] as number[] };
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      told.one.push(await one.send(`canary-of-a-guess-one-${n}-0123456789`));
      told.two.push(await two.exchange(`made-up-${n}-0123456789abcdef`));
    }),
  );
  const all = [...told.one, ...told.two];
  const waits = all.filter((status) => status === 429).length;
  // One more is only wrong for each time that has gone by meanwhile.
  const more = Math.floor((performance.now() - began) / 1000 / usualGuessLimits.network.everySeconds) + 1;
  expect(all.length - waits).toBeGreaterThanOrEqual(atOnce);
  expect(all.length - waits).toBeLessThanOrEqual(atOnce + more);
  expect(told.one).toContain(429);
  expect(told.two).toContain(429);
  one.child.kill("SIGKILL");
  const third = await serve();
  const first = [];
  for (let n = 0; n < 3; n++) first.push(await third.send(`canary-of-a-guess-three-${n}-0123456789`));
  expect(first).toContain(429);
  // Nobody is kept out by it.
  expect(await third.send(key)).toBe(200);
  expect(await two.send(key)).toBe(200);
});
