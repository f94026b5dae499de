import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { builtFile } from "../../testing/built.ts";
import { type EmptyDatabase, emptyDatabase } from "../../testing/database.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { freePort } from "../../testing/free-port.ts";
import { type Outside, openOutside, writeInFlightWorkspace } from "../../testing/in-flight.ts";
import { createPrograms, type Program, untilReady } from "../../testing/programs.ts";
import { buildRelease, releaseBefore } from "../../testing/release-before.ts";
import { until } from "../../testing/until.ts";

const key = "wh_key_of_ada_for_what_is_in_flight_01";
const folder = testFolder();
const programs = createPrograms();
let database: EmptyDatabase;
let outside: Outside;
let client: pg.Client;
beforeAll(async () => {
  database = await emptyDatabase();
  outside = await openOutside();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  outside.close();
  await client.end();
  await database.drop();
  folder.remove();
}, 600_000);

async function start(program: string, port: number): Promise<Program> {
  const place = [
    "--data",
    folder.in("data"),
    "--files",
    folder.in("files"),
    "--workspace",
    folder.in("workspace"),
  ];
  const variables = {
    ...{ DATABASE_URL: database.url, WHEELHOUSE_ADA_KEY: key },
    WHEELHOUSE_SECRET: "a secret that two releases have, 32+",
  };
  const args = ["start", "--port", String(port), "--concurrency", "3", ...place];
  const running = programs.start(args, variables, program);
  await untilReady(running, port);
  return running;
}

/** By kind and state, how many there are; without the schema of either release. */
async function counts(): Promise<Record<string, number>> {
  const { rows } = await client.query<{ what: string; count: number }>(
    "select kind || ' ' || state as what, count(*)::integer as count from executions group by 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

it("S-392: what was queued, at work, stopping or waiting for people, a time or others goes on after an upgrade", async () => {
  writeInFlightWorkspace(folder.in("workspace"), outside);
  const before = buildRelease(releaseBefore(), folder.in("before"));
  const port = await freePort();
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const said = await answer.json();
    expect(answer.ok, `${method} ${path}: ${JSON.stringify(said)}`).toBe(true);
    return said;
  };
  const runs: string[] = [];
  const run = async (flow: string) => {
    const path = `/start_pipeline?user_id=user_ada&saved_item_id=${flow}`;
    const said = await call(
      "POST",
      path,
      { n: `${runs.length}` },
      { "idempotency-key": `run-${runs.length}` },
    );
    runs.push(said.run_id);
  };
  const conversations: string[] = [];
  const talk = async (message: string) => {
    const said = await call("POST", "/start_agent", {
      gummie_id: "agent_asks",
      user_id: "user_ada",
      message,
    });
    conversations.push(said.interaction_id);
  };
  const write = '/write_file {"name": "a.txt", "content": "a"}';

  const old = await start(before, port);
  for (const flow of ["flow_people", "flow_nest", "flow_timed", "flow_flaky"]) await run(flow);
  await talk(write);
  await until("they wait", async () => (await counts())["pipeline waiting"] === 5);
  await until("the turn waits", async () => (await counts())["turn waiting"] === 1);
  await run("flow_held");
  await run("flow_held");
  await talk(`/http_get {"url": "http://localhost:${outside.port}/held/turn"}`);
  const isHeld = (path: string) => path.startsWith("/held");
  await until("all places are taken", () => outside.calls.filter(isHeld).length === 3);
  await run("flow_held");
  await talk(write);
  old.child.kill("SIGTERM");
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("it is stopping", async () => !(await isReady()));
  old.child.kill("SIGKILL");
  await old.code;
  expect(await counts()).toEqual({
    ...{ "pipeline queued": 1, "pipeline running": 2, "pipeline waiting": 5 },
    ...{ "turn queued": 1, "turn running": 1, "turn waiting": 1 },
  });

  await start(builtFile("service/main"), port);
  outside.letGo();
  // Who sends a start again hears of the same run.
  const again = await call(
    ...(["POST", "/start_pipeline?user_id=user_ada&saved_item_id=flow_people", { n: "0" }] as const),
    { "idempotency-key": "run-0" },
  );
  expect(again.run_id).toBe(runs[0]);
  const left = async () => {
    const { rows } = await client.query("select id from executions where finished_at is null");
    return rows.length;
  };
  await until(
    "all is over",
    async () => {
      const { items } = await call("GET", "/inbox?state=waiting");
      for (const { id } of items) await call("POST", `/inbox/${id}/answer`, { answer: "approve" });
      return (await left()) === 0;
    },
    120_000,
  );

  for (const id of runs) {
    const { state, log } = await call("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
    expect([id, state]).toEqual([id, "DONE"]);
    const finished = log.flatMap((line: string) => /^\S+ \[([^\]]+)\] finished\b/.exec(line)?.[1] ?? []);
    expect(finished).toEqual([...new Set(finished)]);
    const dates = log.map((line: string) => line.slice(0, 24));
    expect(dates).toEqual(dates.toSorted());
  }
  for (const id of conversations)
    expect(await call("GET", `/agent_status/${id}?user_id=user_ada`)).toMatchObject({ state: "COMPLETED" });
  const times = (path: string) => outside.calls.filter((one) => one === path).length;
  // What was recorded is not done again, and what was cut off is.
  for (const path of ["/first/0", "/first/1-below", "/first/2", "/first/4", "/first/5"])
    expect(times(path)).toBe(1);
  for (const number of runs.keys()) expect(times(`/last/${number}`)).toBe(1);
  for (const path of ["/held/4", "/held/5", "/held/turn"]) expect(times(path)).toBe(2);
  const { rows: waits } = await client.query(
    "select from steps where execution_id = $1 and wake_at is not null and finished_at < wake_at",
    [runs[2]],
  );
  expect(waits).toEqual([]);
  const { rows: questions } = await client.query("select state from approvals");
  expect(questions.map(({ state }) => state)).toEqual(Array(6).fill("approved"));
  const store = await database.open();
  expect(await brokenInvariants(store)).toEqual([]);
  await store.close();
}, 1_200_000);
