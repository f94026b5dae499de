import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { createSealer } from "../credentials/sealer.ts";
import { createSigner } from "../credentials/signer.ts";
import { createLimiter } from "../limiter.ts";
import { type BearerParts, createBearer } from "./bearer.ts";
import type { ConnectionKey } from "./connection-rows.ts";
import { type Connections, createConnections } from "./connections.ts";
import type { SignedInSecrets } from "./secrets.ts";

const people = 25;
let fresh: FreshStore;
let connections: Connections;
const sealer = createSealer(createSigner("a secret that only tests have, 32+").derive("mcp"));

beforeAll(async () => {
  fresh = await freshStore();
  const rest = { plan: "pro" as const, first_name: "P", last_name: "T", profile_picture: null };
  const users = Array.from({ length: people }, (_, at) => ({ ...rest, id: `p${at}`, email: `p${at}@x.org` }));
  await fresh.store.db.insertInto("users").values(users).execute();
  connections = createConnections(fresh.store.db, sealer);
});
afterAll(() => fresh.drop());
afterEach(async () => {
  await fresh.store.db.deleteFrom("mcp_connections").execute();
});

const keyOf = (id: string): ConnectionKey => {
  return { serverId: "drive", scope: { type: "user", id }, address: "here" };
};
/** @param left milliseconds that the access token is good for */
const secrets = (token: string, left: number): SignedInSecrets => ({
  tokens: { access_token: token, refresh_token: `refresh-${token}`, token_type: "Bearer" },
  client: { client_id: "c" },
  discovery: { authorizationServerUrl: "https://sign-in.example" },
  expiresAt: Date.now() + left,
});
const soon = 1_000;
const hour = 3_600_000;

const limiter = createLimiter({ places: 2 });
const bearerOf = (id: string, fetch: BearerParts["fetch"], more: Partial<BearerParts> = {}) =>
  createBearer({
    connections,
    clock: { now: () => new Date() },
    key: keyOf(id),
    name: "Drive",
    fetch,
    limiter,
    revoke: () => {},
    unknownClient: async () => {},
    ...more,
  });

/** A sign-in that takes every request and answers none, until it hangs up on all who wait and all who come. */
function silent() {
  let asked = 0;
  const down = new AbortController();
  const fetch: BearerParts["fetch"] = (_, init) => {
    asked++;
    const over = AbortSignal.any([down.signal, ...(init?.signal ? [init.signal] : [])]);
    return new Promise((_, reject) => {
      if (over.aborted) reject(over.reason);
      over.addEventListener("abort", () => reject(over.reason));
    });
  };
  return { fetch, asked: () => asked, hangUp: () => down.abort(new Error("it hung up")) };
}

it("a sign-in that does not answer is given up in time, and the tokens are still there", async () => {
  await connections.signIn(keyOf("p0"), secrets("old", soon));
  const bearer = bearerOf("p0", silent().fetch, { timeoutMs: 50 });
  await expect(bearer.current()).rejects.toMatchObject({
    failure: "unreachable",
    message: "The sign-in of Drive cannot be renewed right now.",
  });
  expect((await connections.secrets(keyOf("p0")))?.tokens.refresh_token).toBe("refresh-old");
});

it("S-310: a sign-in that answers later than a transaction may rest has its new tokens kept: the old ones work no more", async () => {
  const key = keyOf("p0");
  await connections.signIn(key, secrets("old", soon));
  const store = await fresh.another();
  store.pool.on("connect", (client) => void client.query("set idle_in_transaction_session_timeout = 100"));
  const late: BearerParts["fetch"] = async () => {
    await until("it has rested longer, or is gone", async () => {
      const { rows } = await fresh.store.pool.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
            and clock_timestamp() < state_change + interval '300 ms'`,
      );
      return rows.length === 0;
    });
    return Response.json({ access_token: "newest", token_type: "Bearer", expires_in: 3600 });
  };
  const bearer = bearerOf("p0", late, { connections: createConnections(store.db, sealer) });
  const given = await bearer.current().catch((error: unknown) => error);
  await store.close();
  expect(given).toBe("newest");
  expect((await connections.secrets(key))?.tokens.access_token).toBe("newest");
});

it("many who wait for a sign-in that does not answer leave the database to everybody else", async () => {
  const ids = Array.from({ length: people }, (_, at) => `p${at}`);
  for (const id of ids) await connections.signIn(keyOf(id), secrets("old", soon));
  const { fetch, asked, hangUp } = silent();
  const waiting = ids.map((id) => bearerOf(id, fetch, { timeoutMs: 600_000 }).current());
  const ends = Promise.allSettled(waiting);
  await until("the sign-in is asked", async () => asked() > 0);
  // Each of them has had every opportunity to take a connection by the time that these are answered.
  for (let time = 0; time < 20; time++) await fresh.store.pool.query("select 1");
  expect(fresh.store.pool.waitingCount).toBe(0);
  expect(asked()).toBeLessThanOrEqual(2);
  hangUp();
  expect((await ends).map(({ status }) => status)).toEqual(ids.map(() => "rejected"));
});

it("whoever was refused a token is never given the same one again by a renewal that had begun before", async () => {
  const key = keyOf("p0");
  await connections.signIn(key, secrets("old", soon));
  const answers: BearerParts["fetch"] = async () =>
    Response.json({ access_token: "newest", token_type: "Bearer", expires_in: 3600 });
  const bearer = bearerOf("p0", answers);
  const other = await fresh.store.pool.connect();
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock(hashtextextended('mcp token drive user:p0', 0))");
  const begun = bearer.current();
  await until("the renewal waits", async () => {
    const { rows } = await fresh.store.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
  // Another process signs in anew, and the server refuses that one as well.
  await connections.signIn(key, secrets("refused", hour));
  const another = bearer.another("refused");
  await other.query("commit");
  other.release();
  expect([await begun, await another]).toEqual(["refused", "newest"]);
});
