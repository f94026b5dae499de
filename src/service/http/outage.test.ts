import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { allHandlers } from "../areas/handlers.ts";
import { signFileLink } from "../files/signed-link.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
let proxy: DatabaseProxy;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    concurrency: 4,
    async through(url) {
      proxy = await databaseProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await proxy.mend();
  await service.stop();
  await proxy.close();
});

const hello = "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello";
const ada = (method: string, path: string, body?: unknown) =>
  service.call(service.keys.ada, method, path, body);
async function run(id: string): Promise<{ state: string; outputs: unknown; finished_ts: string | null }> {
  return (await ada("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`)).json();
}
/** An error of the service has no end either. */
const hasEnded = async (id: string) => typeof (await run(id)).finished_ts === "string";
async function start(name: string): Promise<string> {
  const answer = await ada("POST", hello, { name });
  expect(answer.status).toBe(200);
  const { run_id }: { run_id: string } = await answer.json();
  return run_id;
}

type Asking = readonly [method: string, path: string, body?: unknown];
const askings: readonly Asking[] = [
  ["GET", "/teams?user_id=user_ada"],
  ["GET", "/agents"],
  ["GET", "/agents/agent_scribe"],
  ["GET", "/artifacts"],
  ["GET", "/brain/sources"],
  ["POST", "/brain/search", { query: "tides" }],
  ["POST", hello, { name: "meanwhile" }],
  ["POST", "/start_agent", { gummie_id: "agent_scribe", user_id: "user_ada", message: "Hello" }],
];

/** What may be said of a database that is away. */
async function expectAway(what: string, answer: Response): Promise<void> {
  const text = await answer.text();
  expect([what, answer.status, text]).toEqual([what, 503, text]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(text).not.toMatch(/select|insert|relation|ECONN|PGSQL|postgres|127\.0\.0\.1|at .*\.ts/i);
  expect(() => JSON.parse(text)).not.toThrow();
}

test("S-05: while the database refuses connections every endpoint says 503 and when to come back, and it recovers by itself", async () => {
  const id = await start("before");
  await until("it has ended", () => hasEnded(id));
  const before = await run(id);
  await run(id);
  await proxy.cut();
  const table = Object.values(endpoints).filter(
    ({ name, auth }) => name in allHandlers && auth === "credential",
  );
  const began = performance.now();
  await Promise.all(
    table.map(async ({ name, method, base, path, body }) => {
      const filled = base + path.replaceAll(/\{\w+\}/g, "nothing_here");
      const sent = body === null ? undefined : {};
      await expectAway(name, await service.send(service.keys.ada, method, filled, sent));
    }),
  );
  // Also what it could answer from memory: nobody says any more whether it still holds.
  await expectAway("remembered", await ada("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`));
  expect(performance.now() - began).toBeLessThan(10_000);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await proxy.mend();
  expect(await run(id)).toEqual(before);
  const after = await start("after");
  await until("it has ended", () => hasEnded(after));
  expect(await run(after)).toMatchObject({ state: "DONE", outputs: { greeting: "Hello, after!" } });
});

test("S-05: a database that says nothing at all is 503 within ten seconds, and holds up nobody when it is back", async () => {
  const id = await start("before");
  await until("it has ended", () => hasEnded(id));
  await run(id);
  proxy.hang();
  const began = performance.now();
  const ready = fetch(`${service.url}/readyz`);
  const answers = await Promise.all([
    ada("GET", "/teams?user_id=user_ada"),
    ada("GET", "/get_pl_run?run_id=run_nothing&user_id=user_ada"),
    // Remembered, if only somebody said that it still holds.
    ada("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`),
    ada("POST", hello, { name: "meanwhile" }),
  ]);
  for (const answer of answers) await expectAway("hanging", answer);
  expect((await ready).status).toBe(503);
  expect(performance.now() - began).toBeLessThan(10_000);
  await proxy.cut();
  await proxy.mend();
  await until("it is back", async () => (await ada("POST", hello, { name: "after" })).status === 200);
}, 300_000);

/** A service of its own behind a proxy, where nobody else asks the database anything. */
async function quietService() {
  const proxies: DatabaseProxy[] = [];
  const quiet = await startService({
    work: false,
    async through(url) {
      const proxy = await databaseProxy(url);
      proxies.push(proxy);
      return proxy.url;
    },
  });
  const [between] = proxies;
  if (between === undefined) throw new Error("it has no database");
  async function end() {
    await quiet.stop();
    await between?.close();
  }
  return { quiet, between, end };
}

test("S-05: a request that was let in just before the database fell silent is 503 within ten seconds", async () => {
  const { quiet, between, end } = await quietService();
  const ask = ([method, path, body]: Asking) => quiet.call(quiet.keys.ada, method, path, body);
  for (const asking of askings) expect((await ask(asking)).ok).toBe(true);
  // Who asks is found out; what they ask for is not.
  between.hangAt((sent) => /^[PQ](?!.*(?:generation|credential))/s.test(sent.toString("latin1")));
  const began = performance.now();
  await Promise.all(askings.map(async (asking) => await expectAway(asking[1], await ask(asking))));
  expect(performance.now() - began).toBeLessThan(10_000);
  await between.cut();
  await between.mend();
  for (const asking of askings) expect((await ask(asking)).ok).toBe(true);
  await end();
}, 300_000);

test("S-05: a database that falls silent after the credential was checked is 503 within ten seconds at every endpoint, probe and link", async () => {
  const { quiet, between, end } = await quietService();
  const file = { artifactId: "art_nothing", versionId: "ver_nothing", disposition: "inline" } as const;
  const holder = { type: "shared", revision: 1 } as const;
  const { signer, publicUrl } = quiet.context;
  const link = signFileLink(signer, publicUrl, { ...file, holder }, quiet.context.clock.now());
  expect((await fetch(link)).status).toBe(404);
  const table = Object.values(endpoints).filter(({ name }) => name in allHandlers);
  const ask = ({ method, base, path, body, auth }: (typeof table)[number]) => {
    const filled = `${base}${path.replaceAll(/\{\w+\}/g, "nothing_here")}?user_id=user_ada`;
    const key = auth === "none" ? null : quiet.keys.ada;
    return quiet.send(key, method, filled, body === null ? undefined : {});
  };
  // What says who asks gets through; what comes after it does not, nor whether the database answers.
  between.muteAt((sent) => /^[PQB](?!.*(?:generation|credential))/s.test(sent.toString("latin1")));
  const began = performance.now();
  const others = [
    fetch(link),
    fetch(`${quiet.url}/readyz`),
    fetch(`${quiet.url}/mcp/oauth/callback?state=x&code=y`),
  ];
  const answered: string[] = [];
  await Promise.all([
    ...table.map(async (endpoint) => {
      const answer = await ask(endpoint);
      // What is wrong by itself is said without the database.
      if (answer.status >= 500) await expectAway(endpoint.name, answer);
      else answered.push(`${endpoint.name} ${answer.status}`);
    }),
    ...others.map(async (answer) => expect((await answer).status).toBe(503)),
  ]);
  expect(performance.now() - began).toBeLessThan(10_000);
  // The rest is what nobody needs the database for: what is refused by itself, and these; a key has no session to end, and
  // what is examined for an admin has the silence as a finding.
  const told = answered.filter((one) => one.endsWith(" 200"));
  expect(["getDiagnostics 200", "getRetention 200", "listModels 200", "signOutConsole 200"]).toEqual(
    expect.arrayContaining(told),
  );
  expect(answered.length).toBeLessThan(table.length / 2);
  await between.cut();
  await between.mend();
  await end();
}, 300_000);

test(
  "S-05: with a database that comes and goes no answer is wrong, and what was started ends once",
  async () => {
    const started: string[] = [];
    let going = true;
    const caller = async (n: number) => {
      while (going) {
        const name = `${n}`;
        const answer = await ada("POST", hello, { name });
        if (answer.status === 503) await expectAway("start", answer);
        else {
          expect(answer.status).toBe(200);
          const { run_id }: { run_id: string } = await answer.json();
          started.push(run_id);
          const poll = await ada("GET", `/get_pl_run?run_id=${run_id}&user_id=user_ada`);
          if (poll.status === 503) await expectAway("poll", poll);
          else expect(await poll.json()).toMatchObject({ run_id });
        }
        await delay(5);
      }
    };
    const callers = Array.from({ length: 4 }, (_, n) => caller(n));
    for (let round = 0; round < (long ? 25 : 4); round++) {
      await delay(100 + Math.random() * 200);
      await proxy.cut();
      await delay(Math.random() * (long ? 2_000 : 300));
      await proxy.mend();
      const count = started.length;
      await until("it starts runs again", async () => started.length > count);
    }
    going = false;
    await Promise.all(callers);
    expect(started.length).toBeGreaterThan(4);
    for (const id of started) {
      await until(`the end of ${id}`, () => hasEnded(id));
      expect(await run(id)).toMatchObject({ state: "DONE" });
    }
    expect(await brokenInvariants(service.context.store)).toEqual([]);
  },
  long ? 600_000 : 180_000,
);
