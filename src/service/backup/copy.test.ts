import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { copyIn, copyOut } from "./copy.ts";
import { createThrottle } from "./throttle.ts";

let fresh: FreshStore;
let client: pg.Client;
beforeAll(async () => {
  fresh = await freshStore();
  client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await fresh.drop();
});

it("copies each type of value as it is, and many rows at once, to one that reads slowly", async () => {
  await client.query(`
    create table odd (n bigint, j json, b jsonb, x bytea, t timestamptz, f float8, d numeric, a text[], s text);
    insert into odd select n, '{"z":1,  "a":1e400,"z":2}', '{"z":1, "a":[null]}', decode('00ff5c0a', 'hex'),
      'infinity', 'NaN', 1e-300, array['a,b', null, '"\\'], E'\\\\N \\t \\r \\n' || repeat('é', 500) from generate_series(1, 2000) n;
    insert into odd values (null, null, null, '', '2026-02-03 04:05:06.000001+00', 0.1, 'NaN', '{}', '');
    create table other (like odd);`);
  await copyIn(client, "copy other from stdin", copyOut(await another(), "copy odd to stdout"));
  const { rows } = await client.query(
    "select count(*)::integer from (select odd::text from odd except all select other::text from other) differing",
  );
  expect(rows).toEqual([{ count: 0 }]);
  expect((await client.query("select count(*)::integer from other")).rows).toEqual([{ count: 2001 }]);
});

it("gives what the database says against either, and leaves the connection to others", async () => {
  await expect(read(copyOut(client, "copy nothing_like_it to stdout"))).rejects.toMatchObject({
    code: "42P01",
  });
  await client.query("create table narrow (n integer)");
  const source = (text: string) => [Buffer.from(text)];
  await expect(copyIn(client, "copy narrow from stdin", stream(source("no number\n")))).rejects.toMatchObject(
    { code: "22P02" },
  );
  await expect(copyIn(client, "copy narrow from stdin", broken())).rejects.toThrow("the source is broken");
  await copyIn(client, "copy narrow from stdin", stream(source("7\n")));
  expect((await client.query("select n from narrow")).rows).toEqual([{ n: 7 }]);
});

it("holds what is moved to its rate, and catches up with a second of it at most", async () => {
  let now = 0;
  const pace = {
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
    },
  };
  const throttle = createThrottle(1_000_000, new AbortController().signal, pace);
  for (let moved = 0; moved < 10_000_000; moved += 250_000) await throttle(250_000);
  expect(now).toBeGreaterThan(9_000);
  expect(now).toBeLessThan(10_001);
  now += 60_000;
  const before = now;
  for (let moved = 0; moved < 3_000_000; moved += 250_000) await throttle(250_000);
  expect(now - before).toBeGreaterThan(1_500);
  const stopped = new AbortController();
  stopped.abort(new Error("stopped"));
  await expect(createThrottle(null, stopped.signal)(1)).rejects.toThrow("stopped");
});

it("S-416: ends no process by what happens to a copy that nobody reads, as whoever would has failed", async () => {
  const unread = copyOut(await another(), "copy nothing_like_it to stdout");
  await new Promise((closed) => unread.once("close", closed));
  expect(unread.errored).toMatchObject({ code: "42P01" });
});

const clients: pg.Client[] = [];
afterAll(async () => {
  for (const one of clients) await one.end();
});
async function another(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: fresh.url });
  clients.push(one);
  await one.connect();
  return one;
}

async function read(source: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

async function* stream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from("1\n");
  throw new Error("the source is broken");
}
