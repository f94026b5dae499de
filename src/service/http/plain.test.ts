import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { addPeople, keyOf } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
let ann = "";
let ben = "";
let run = "";
let made = 0;
beforeAll(async () => {
  service = await startService({ empty: true, work: false });
  await addPeople(service.context.store);
});
afterAll(() => service.stop());

/** What another process does, or a person with psql. */
const elsewhere = (text: string, ...values: readonly unknown[]) =>
  service.context.store.pool.query(text, [...values]);

async function addRun(state: "done" | "waiting"): Promise<string> {
  const id = `run_${state}_${made++}`;
  await elsewhere(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, result, started_at, finished_at, revision)
     values ($1, 'pipeline', $1, 0, 'flow_x', 'user_ann', 'team_one', $2, '{}', $3, now(), $4, 5)`,
    id,
    state,
    state === "done" ? JSON.stringify({ outputs: { greeting: "hello" } }) : null,
    state === "done" ? new Date() : null,
  );
  return id;
}

const poll = (key: string, headers: HeadersInit = {}, query = "user_id=user_ann") =>
  service.call(key, "GET", `/get_pl_run?run_id=${run}&${query}`, undefined, headers);
const statuses = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

/** Asks often enough that the answer is one that was given before. */
async function remembered(key: string, query?: string): Promise<void> {
  for (let time = 0; time < 3; time++) {
    expect((await poll(key, {}, query)).status).toBe(200);
    expect((await poll(key, { "if-none-match": 'W/"5"' }, query)).status).toBe(304);
  }
}

beforeEach(async () => {
  ann = await keyOf(service.context.store, { kind: "person", id: "user_ann" });
  ben = await keyOf(service.context.store, { kind: "person", id: "user_ben" });
  run = await addRun("done");
});

/** What is done elsewhere, and how the next request is answered. */
const losses = [
  ["a revoked key", 401, "update credentials set revoked_at = now() where user_id = 'user_ann'"],
  ["a key that has expired", 401, "update credentials set expires_at = now() where user_id = 'user_ann'"],
  ["a key that was removed", 401, "delete from credentials where user_id = 'user_ann'"],
  ["a lower plan", 403, "update users set plan = 'free' where id = 'user_ann'"],
  ["a run that was removed", 404, "delete from executions where id like 'run_%'"],
] as const;

describe("The poll of a run that is over", () => {
  test("answers the same each time, each time under an id of its own", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => poll(ann)));
    answers.push(await poll(ann), await poll(ann));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ state: "DONE", outputs: { greeting: "hello" } });
    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(6);
    for (const { headers } of answers) {
      expect(headers.get("etag")).toBe('W/"5"');
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
  });

  test("is 304 to its own ETag alone", async () => {
    await remembered(ann);
    for (const [tag, status] of [
      ['W/"5"', 304],
      ['"5"', 304],
      ['"4", W/"5"', 304],
      ["*", 304],
      ['W/"4"', 200],
      ['W/"55"', 200],
      ["", 200],
    ] as const) {
      const answer = await poll(ann, { "if-none-match": tag });
      expect([tag, answer.status]).toEqual([tag, status]);
      expect((await answer.text()) === "").toBe(status === 304);
    }
  });

  test.each(losses)(
    "S-26 refuses %s at the next request, wherever it was done",
    async (_, status, change) => {
      await remembered(ann);
      await elsewhere(change);
      expect(await statuses([poll(ann), poll(ann, { "if-none-match": 'W/"5"' })])).toEqual([status, status]);
      await elsewhere("update users set plan = 'pro' where id = 'user_ann'");
    },
  );

  test("S-26 refuses a member who was put out of the team at the next request, and takes one who came back", async () => {
    await remembered(ben, "user_id=user_ben");
    await elsewhere("delete from team_members where user_id = 'user_ben'");
    expect((await poll(ben, {}, "user_id=user_ben")).status).toBe(404);
    await elsewhere("insert into team_members (team_id, user_id) values ('team_one', 'user_ben')");
    expect((await poll(ben, {}, "user_id=user_ben")).status).toBe(200);
  });

  test("S-26 a change that is not committed changes nothing, and holds from its commit on", async () => {
    await remembered(ann);
    const other = await service.context.store.pool.connect();
    await other.query("begin");
    await other.query("update credentials set revoked_at = now() where user_id = 'user_ann'");
    expect((await poll(ann)).status).toBe(200);
    await other.query("commit");
    other.release();
    expect((await poll(ann)).status).toBe(401);
  });

  test("S-26 in a storm of polls none that begins after the key was revoked gets through", async () => {
    await remembered(ann);
    let revoked = false;
    const late: number[] = [];
    const storm = Array.from({ length: 20 }, async () => {
      for (let time = 0; time < 15; time++) {
        const after = revoked;
        const { status } = await poll(ann);
        if (after) late.push(status);
      }
    });
    await elsewhere("update credentials set revoked_at = now() where user_id = 'user_ann'");
    revoked = true;
    await Promise.all(storm);
    expect(new Set([...late, (await poll(ann)).status])).toEqual(new Set([401]));
  });

  test("S-26 is not remembered where the run was removed between reading it and reading who asks", async () => {
    const { runs, authenticator } = service.context;
    const [head, authenticate] = [runs.head, authenticator.authenticate];
    let read: Promise<unknown> = Promise.resolve();
    const reading = vi.spyOn(runs, "head").mockImplementationOnce((id) => {
      const found = head(id);
      read = found.then(() => elsewhere("delete from executions where id = $1", id));
      return found;
    });
    const asking = vi.spyOn(authenticator, "authenticate").mockImplementationOnce(async (attempt) => {
      await read;
      return await authenticate(attempt);
    });
    expect((await poll(ann)).status).toBe(200);
    reading.mockRestore();
    asking.mockRestore();
    expect(await statuses([poll(ann), poll(ann, { "if-none-match": 'W/"5"' })])).toEqual([404, 404]);
  });

  test("ends with the time of its credential, without any change", async () => {
    // Long enough for what comes before its end to come before it on any machine.
    await elsewhere("update credentials set expires_at = now() + interval '8 s' where user_id = 'user_ann'");
    await remembered(ann);
    await until("the end of the key", async () => (await poll(ann)).status === 401);
  });

  test("is never given to another credential or for another claim", async () => {
    await remembered(ann);
    const cat = await keyOf(service.context.store, { kind: "person", id: "user_cat" });
    expect((await poll(cat, {}, "user_id=user_cat")).status).toBe(404);
    expect((await poll(cat)).status).toBe(403);
    expect((await poll(ann, {}, "user_id=user_ben")).status).toBe(403);
    expect((await poll(ann, {}, "user_id=user_ann&user_id=user_ann")).status).toBe(400);
    expect((await poll(`${ann.slice(0, -1)}!`)).status).toBe(401);
    const none = await fetch(`${service.url}/api/v1/get_pl_run?run_id=${run}&user_id=user_ann`);
    expect(none.status).toBe(401);
  });

  test("is the same by way of HEAD, an unusual address, and with a compressed body", async () => {
    await remembered(ann);
    const head = await fetch(`${service.url}/api/v1/get_pl_run?run_id=${run}&user_id=user_ann`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${ann}` },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const unusual = await poll(ann, {}, "user_id=user_ann&x='|{}");
    expect(await unusual.text()).toBe(await (await poll(ann)).text());
    await elsewhere("update executions set result = $2 where id = $1", run, {
      outputs: { greeting: "hello ".repeat(1_000) },
    });
    run = await copyOf(run);
    for (const encoding of ["gzip", "br", "gzip"]) {
      const answer = await poll(ann, { "accept-encoding": encoding });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(JSON.parse(await answer.text()).outputs.greeting).toHaveLength(6_000);
    }
  });
});

/** A run that nobody has asked for yet, with the same row. */
async function copyOf(id: string): Promise<string> {
  const copy = await addRun("done");
  await elsewhere(
    "update executions set result = (select result from executions where id = $2) where id = $1",
    copy,
    id,
  );
  return copy;
}

describe("The poll of a run that goes on", () => {
  beforeEach(async () => {
    run = await addRun("waiting");
  });

  test.each(losses)("refuses %s at the next request, wherever it was done", async (_, status, change) => {
    await remembered(ann);
    await elsewhere(change);
    expect(await statuses([poll(ann), poll(ann, { "if-none-match": 'W/"5"' })])).toEqual([status, status]);
    await elsewhere("update users set plan = 'pro' where id = 'user_ann'");
  });

  test("is never given to another credential or for another claim", async () => {
    await remembered(ann);
    const cat = await keyOf(service.context.store, { kind: "person", id: "user_cat" });
    expect((await poll(cat, {}, "user_id=user_cat")).status).toBe(404);
    expect((await poll(ann, {}, "user_id=user_ben")).status).toBe(403);
  });

  test("shows each change at the next request", async () => {
    for (const revision of [6, 7, 8]) {
      await elsewhere("update executions set revision = $2 where id = $1", run, revision);
      for (let time = 0; time < 3; time++) {
        expect((await poll(ann)).headers.get("etag")).toBe(`W/"${revision}"`);
        expect((await poll(ann, { "if-none-match": `W/"${revision}"` })).status).toBe(304);
      }
    }
    await elsewhere(
      "update executions set revision = 9, state = 'failed', error = 'x', finished_at = now() where id = $1",
      run,
    );
    expect(await (await poll(ann, { "if-none-match": 'W/"8"' })).json()).toMatchObject({ state: "FAILED" });
  });
});

test("S-25 two Authorization headers that disagree are refused, whichever of them holds", async () => {
  await remembered(ann);
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  const lines = [
    `GET /api/v1/get_pl_run?run_id=${run}&user_id=user_ann HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${ann}`,
    `authorization: Bearer ${ben}`,
    "connection: close",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  expect(answer.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
});
