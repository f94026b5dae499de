import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
/** Asks for no connection of the service's own. */
let aside: pg.Client;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  aside = new pg.Client(app.service.databaseUrl);
  await aside.connect();
});
afterEach(() => aside.end());

async function blocked(): Promise<number> {
  const { rows } = await aside.query<{ n: number }>(
    "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}

/** Lee sends so many requests, of which each waits in the database until it is let go. */
async function flood(count: number) {
  await aside.query("begin");
  await aside.query("lock table evaluations in access exclusive mode");
  const headers = { authorization: `Bearer ${app.keys.lee}` };
  const answers = Array.from({ length: count }, () =>
    fetch(`${app.service.url}/api/v1/evaluations`, { headers }).then(({ status }) => status),
  );
  // It needs nothing of the database but who asks, and came after them.
  expect((await app.call("lee", "GET", "/models")).status).toBe(200);
  await until("what Lee may have waits", async () => (await blocked()) >= 7);
  return {
    answers,
    letGo: () => aside.query("rollback"),
  };
}

async function leaseOf(id: string): Promise<string> {
  const { rows } = await aside.query("select lease::text from executions where subject_id = $1", [id]);
  return rows[0]?.lease ?? "";
}

test("S-270: while all requests of one person wait in the database others are answered, turns begin and keep their leases, and the service is ready", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.model.otherwise(() => ({ type: "held", until: held, answer: { type: "text", text: "Good." } }));
  const first = await app.start("Take your time");
  await until("the turn is at work", () => app.model.calls.length === 1);
  const { answers, letGo } = await flood(60);
  const lease = await leaseOf(first.body.interaction_id);
  expect((await app.call("kim", "GET", "/agents")).status).toBe(200);
  expect((await app.call("red", "GET", "/runs")).status).toBe(200);
  expect((await fetch(`${app.service.url}/readyz`)).status).toBe(200);
  expect((await app.start("Another one")).status).toBe(202);
  await until("a turn begins", () => app.model.calls.length === 2);
  await until("its lease is renewed", async () => (await leaseOf(first.body.interaction_id)) > lease);
  expect(await blocked(), "half of what requests may have").toBe(7);
  await letGo();
  // Some may have waited for as long as anybody waits for a connection.
  for (const status of await Promise.all(answers)) expect([200, 503]).toContain(status);
  release();
});

/** Sends so much of a large body, and stands still. */
async function standStill(key: string, bytes: number) {
  const socket = connect(Number(new URL(app.service.url).port), "127.0.0.1");
  await once(socket, "connect");
  const head = `host: localhost\r\nauthorization: Bearer ${key}\r\ncontent-length: 9900000\r\n`;
  socket.write(`POST /api/v1/kill_pipeline HTTP/1.1\r\n${head}\r\n`);
  if (!socket.write("x".repeat(bytes))) await once(socket, "drain");
  return socket;
}

test("S-271: while one person's large bodies stand still another's large body is read and answered", async () => {
  const sockets = [await standStill(app.keys.lee, 8_000_000), await standStill(app.keys.lee, 4_000_000)];
  let isOver = false;
  for (const socket of sockets) {
    for (const event of ["data", "close"]) socket.once(event, () => (isOver = true));
  }
  const body = { run_id: "x".repeat(9_000_000), user_id: "user_kim" };
  const { status } = await app.call("kim", "POST", "/kill_pipeline", body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(isOver, "Lee's were cut off before").toBe(false);
  for (const socket of sockets) socket.destroy();
});
