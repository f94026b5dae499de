import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { answer, asked, askingAgent } from "../../testing/approvals.ts";
import { readLog } from "../../testing/executions.ts";
import { modelRequest } from "../../testing/model-tests.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
/** Has 600 seconds for a turn, and asks before it writes a file. */
let asking = "";
beforeAll(async () => {
  app = await startAgentService();
  asking = await askingAgent(app);
  for (const id of [asking, "agent_kim"]) await giveSeconds(id, 600);
});
afterAll(() => app.stop());
afterEach(() => query("delete from running_limits"));

const query = (text: string, values: readonly unknown[] = []) =>
  app.context.store.pool.query(text, [...values]);
const giveSeconds = (id: string, timeout_s: number | null) =>
  app.call(
    "kim",
    "PATCH",
    `/agents/${id}`,
    { metadata: { preferences: { timeout_s } } },
    { "x-auth-key": "user_kim" },
  );
const write = (name: string) => `/write_file {"name":"${name}","content":"x"}`;

async function turnOf(interactionId: string): Promise<string> {
  const { rows } = await query("select id from executions where subject_id = $1", [interactionId]);
  return rows[0].id;
}

/** An hour goes by for a turn that is queued. */
async function passHour(id: string): Promise<void> {
  await query(
    `update executions set started_at = started_at - interval '1 hour', queued_at = queued_at - interval '1 hour'
      where id = $1 and state = 'queued'`,
    [id],
  );
  await query(
    `update approvals set asked_at = asked_at - interval '1 hour', answered_at = answered_at - interval '1 hour',
            ended_at = ended_at - interval '1 hour' where execution_id = $1`,
    [id],
  );
}

/** A turn takes all that Kim may have running. @returns lets it end */
async function takeRoom(): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls = app.model.calls.length;
  await query("insert into running_limits (limit_key, running) values ('user:user_kim', 1)");
  app.model.next({ type: "held", until: held, answer: { type: "text", text: "Good." } });
  await app.start("Take your time");
  await until("the other turn to be at work", () => app.model.calls.length > calls);
  return release;
}

const isHeld = async (id: string) =>
  (await readLog(app.context.store.db, id)).some((line) => line.includes("already running"));

it("S-240: a turn that was answered has all of its time left, however long its team is busy then", async () => {
  const { interaction_id } = (await app.start(write("a.txt"), { gummie_id: asking })).body;
  const [question] = await asked(app, interaction_id);
  const id = await turnOf(interaction_id);
  const release = await takeRoom();
  await answer(app, { id: question?.id ?? "" }, { answer: "approve" });
  await until("it waits for its team", () => isHeld(id));
  await passHour(id);
  release();
  expect(await app.settled(interaction_id)).toMatchObject({ state: "COMPLETED" });
});

it("S-240: what it waits for a worker while people have not answered yet counts once", async () => {
  const started = await app.start(`${write("b.txt")}\n${write("c.txt")}`, { gummie_id: asking });
  const { interaction_id } = started.body;
  const [first, second] = await asked(app, interaction_id);
  const id = await turnOf(interaction_id);
  const release = await takeRoom();
  await answer(app, { id: first?.id ?? "" }, { answer: "approve" });
  await until("it waits for its team", () => isHeld(id));
  await passHour(id);
  release();
  await until("it waits for the second answer alone", async () => {
    const { rows } = await query("select from executions where id = $1 and state = 'waiting'", [id]);
    return rows.length === 1;
  });
  // Beside that hour it has been at work for more than it may.
  await query("update executions set started_at = started_at - interval '700 s' where id = $1", [id]);
  await answer(app, { id: second?.id ?? "" }, { answer: "approve" });
  expect(await app.settled(interaction_id)).toMatchObject({
    state: "FAILED",
    error_message: "The turn took longer than its limit of 600 seconds.",
  });
});

it("S-241: a turn whose worker was lost has the time left that it had when that was last heard of", async () => {
  let release = () => {};
  const never = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls = app.model.calls.length;
  app.model.next({ type: "held", until: never, answer: { type: "text", text: "Never." } });
  const { interaction_id } = (await app.start("Hello")).body;
  await until("it is at work", () => app.model.calls.length > calls);
  await query(
    `update executions set owner = 'dead', started_at = started_at - interval '1 hour',
            lease = started_at - interval '1 hour' + interval '11 s' where id = $1`,
    [await turnOf(interaction_id)],
  );
  expect(await app.settled(interaction_id)).toMatchObject({ state: "COMPLETED", response: "Good." });
  release();
});

it("S-242: what a turn waits for room on a full disk is none of its time", async () => {
  await query(`
    create function full_steps() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on steps for each row execute function full_steps()`);
  await giveSeconds("agent_offline", 2);
  const { interaction_id } = (await app.start(write("d.txt"), { gummie_id: "agent_offline" })).body;
  const id = await turnOf(interaction_id);
  // It waits a second, then two.
  await until("a third try", async () => {
    const { rows } = await query("select epoch from executions where id = $1", [id]);
    return rows[0].epoch > 2;
  });
  await query("drop trigger disk_full on steps");
  expect(await app.settled(interaction_id)).toMatchObject({ state: "COMPLETED" });
  await giveSeconds("agent_offline", null);
});

it("S-244: a turn that cannot be given back while the database is away loses no time by that", async () => {
  const away = (name: string, on: string) => `
    create trigger away_${name} before ${on} for each row`;
  await query(`
    create sequence tries;
    create function be_away() returns trigger language plpgsql as $$
      begin perform nextval('tries'); raise exception 'the database is away' using errcode = '08006'; end $$;
    ${away("steps", "insert on steps")} execute function be_away();
    ${away("queue", "update on executions")} when (old.state = 'running' and new.state = 'queued') execute function be_away()`);
  await giveSeconds("agent_offline", 2);
  const { interaction_id } = (await app.start(write("e.txt"), { gummie_id: "agent_offline" })).body;
  // Five a second at most.
  await until("it was tried for three seconds", async () => {
    const { rows } = await query("select last_value::integer as n from tries");
    return rows[0].n > 16;
  });
  await query("drop trigger away_steps on steps; drop trigger away_queue on executions");
  expect(await app.settled(interaction_id)).toMatchObject({ state: "COMPLETED" });
  await giveSeconds("agent_offline", null);
});

it("S-261: what a turn waits for a place of its model's provider is none of its time", async () => {
  const { models } = app.context;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const places = Array.from({ length: 51 }, () => {
    app.model.next({ type: "held", until: held, answer: { type: "text", text: "Good." } });
    return models.ask(modelRequest({ requester: { share: ["user_kim"], onWait: () => void waiting++ } }));
  });
  await until("all its places to be taken", () => waiting === 1);
  // More than this machine stands still.
  await giveSeconds("agent_kim", 6);
  const { interaction_id } = (await app.start("Hello")).body;
  const id = await turnOf(interaction_id);
  await until("it has been at that for longer than it may", async () => {
    const { rows } = await query(
      "select clock_timestamp() - started_at > interval '7 s' as is_over from executions where id = $1",
      [id],
    );
    return rows[0].is_over === true;
  });
  release();
  await Promise.all(places);
  expect(await app.settled(interaction_id)).toMatchObject({ state: "COMPLETED", response: "Good." });
});

it("S-276: a turn that waits for a worker's place says how many are before it, and says so anew as they go", async () => {
  const { interaction_id } = (await app.start("Hello", { gummie_id: "agent_kim" })).body;
  await app.settled(interaction_id);
  const read = (tag = "") =>
    app.call("kim", "GET", `/sessions/${interaction_id}`, undefined, tag ? { "if-none-match": tag } : {});
  expect((await read()).body.session.places_before).toBeNull();
  await query("update interactions set state = 'processing' where id = $1", [interaction_id]);
  const copies = `insert into executions (id, kind, root_id, depth, subject_id, user_id, input, queued_at)
    select 'wait_' || n, kind, 'wait_' || n, 0, subject_id, user_id, input, now() - make_interval(mins => 10 - n)
      from executions, generate_series(1, 3) n where id = (select execution_id from interactions where id = $1)`;
  // Nobody takes them up: they are of a kind that no process knows.
  await query(copies.replace("select 'wait_' || n, kind", "select 'wait_' || n, 'unknown'"), [
    interaction_id,
  ]);
  await query("update interactions set execution_id = 'wait_3' where id = $1", [interaction_id]);
  const third = await read();
  expect(third.body.session.places_before).toBe(2);
  expect((await read(third.headers.get("etag") ?? "")).status).toBe(304);
  await query("delete from executions where id = 'wait_1'");
  const second = await read(third.headers.get("etag") ?? "");
  expect([second.status, second.body.session.places_before]).toEqual([200, 1]);
  await query("delete from executions where id like 'wait_%'");
});
