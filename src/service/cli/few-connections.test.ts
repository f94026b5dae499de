import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase } from "../../testing/database.ts";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { freePort } from "../../testing/free-port.ts";
import { createPrograms, untilReady } from "../../testing/programs.ts";
import { until } from "../../testing/until.ts";

const folder = testFolder();
const programs = createPrograms();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await programs.endAll("SIGKILL");
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => folder.remove());

const secret = { WHEELHOUSE_SECRET: "a secret that only tests have, 32+" };
const places = ["--data", folder.in("data"), "--files", folder.in("files")];

async function database(): Promise<EmptyDatabase> {
  const made = await emptyDatabase();
  open.push(() => made.drop());
  return made;
}

/** The address of that database for somebody to whom it gives so many connections and no more. */
async function withConnections(limit: number): Promise<string> {
  const { url } = await database();
  const role = `few_${limit}_${Date.now()}`;
  const name = new URL(url.replace("@/", "@localhost/")).pathname.slice(1);
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create role ${role} login connection limit ${limit}`);
    await client.query(`alter database ${name} owner to ${role}; alter schema public owner to ${role}`);
  } finally {
    await client.end();
  }
  return url.replace(/\/\/[^@]*@/, `//${role}@`);
}

test.each(["start", "worker"])(
  "S-423: a %s whose database has no connection left for it ends with a message that says so, and never says that it runs",
  async (command) => {
    const url = await withConnections(1);
    const port = command === "start" ? ["--port", String(await freePort())] : [];
    const { said, code } = programs.start([command, ...port, ...places], { ...secret, DATABASE_URL: url });
    expect([await code, said.out]).toEqual([1, ""]);
    expect(said.err).toMatch(
      /^DATABASE_URL: the database stopped answering during the start: too many connections for role /m,
    );
  },
  60_000,
);

test("S-423: a start whose database breaks when the link to sign in is made runs, shows its new keys and says how to get a link", async () => {
  const { url } = await database();
  const proxy: DatabaseProxy = await databaseProxy(url);
  open.push(() => proxy.close());
  proxy.breakAt('insert into "sign_in_links"', "before");
  const port = await freePort();
  const started = programs.start(["start", "--port", String(port), ...places], {
    ...secret,
    DATABASE_URL: proxy.url,
  });
  await untilReady(started, port);
  const isOver = () => started.child.exitCode !== null;
  await until("it has said all that it says", async () => isOver() || started.said.out.includes("Data: "));
  expect(started.said.out).toContain("No link to sign in: the database did not answer (");
  expect(started.said.out).toContain("wheelhouse sign-in-link --person user_ada");
  expect(started.said.out).toContain("WHEELHOUSE_ADA_KEY=");
  expect(started.child.exitCode).toBeNull();
}, 60_000);
