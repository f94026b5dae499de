import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBegun, largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { logWrite } from "../store/log-rows.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, askOnly, readAsTaken } = largeAnswers(() => service);

interface Run {
  readonly log: readonly string[];
  readonly outputs?: object;
  readonly user?: string;
  /** How it lies in the database; default as it is written. */
  readonly rows?: readonly { readonly last: number; readonly text: string }[];
}

async function addRun(id: string, run: Run): Promise<string> {
  const { log, outputs = {}, user = "user_ada", rows = logWrite(log).rows } = run;
  await pool().query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, result, log_count, log_bytes, started_at, finished_at)
     values ($1, 'pipeline', $1, 0, 'flow', $5, 'done', '{}', $2, $3, $4, now(), now())`,
    [id, JSON.stringify({ outputs }), log.length, logWrite(log).bytes, user],
  );
  await pool().query("insert into log_lines select $1, * from unnest($2::int[], $3::text[])", [
    id,
    rows.map(({ last }) => last),
    rows.map(({ text }) => text),
  ]);
  return `/get_pl_run?run_id=${id}&user_id=user_ada`;
}

const awkward = ["", 'a "quote" \\', "\t", "línea ✓ 🙂", "x".repeat(8_000)];
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `${at} ${awkward[at % awkward.length]}`);

describe("a run with a long log", () => {
  test("is answered whole, to each encoding, with the tag and 304 of a short one", async () => {
    const log = lines(2_000);
    const address = await addRun("run_long", { log, outputs: { greeting: "hello" } });
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(address, { "accept-encoding": encoding });
      expect(answer.headers.get("etag")).toBe('W/"0"');
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.headers.get("content-encoding")).toBe(encoding === "identity" ? null : "gzip");
      expect(await answer.json()).toMatchObject({ state: "DONE", outputs: { greeting: "hello" }, log });
    }
    expect((await get(address, { "if-none-match": 'W/"0"' })).status).toBe(304);
    const head = await get(address, {}, "HEAD");
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, 'W/"0"', ""]);
  });

  test("S-95: that is asked about by HEAD again and again gives back its place each time", async () => {
    const log = lines(2_000);
    const address = await addRun("run_head", { log });
    for (let time = 0; time < 50; time++) expect((await get(address, {}, "HEAD")).status).toBe(200);
    expect((await (await get(address)).json()).log).toEqual(log);
  });

  test("is answered whole where each line has a row of its own, as before an update", async () => {
    const log = lines(3_000);
    const rows = log.map((text, at) => ({ last: at + 1, text }));
    const address = await addRun("run_old_rows", { log, rows });
    expect((await (await get(address)).json()).log).toEqual(log);
  });

  test("S-91: is read from the database only as fast as the client takes it", async () => {
    const log = Array.from({ length: 4_000 }, () => "y".repeat(8_000));
    const text = await readAsTaken(await addRun("run_huge", { log }), '"run_log_piece"', 100);
    expect(JSON.parse(text).log).toHaveLength(log.length);
  });

  test("S-95: a person who asks for thirty at once has twenty of them at a time, and holds nobody else up", async () => {
    const log = Array.from({ length: 2_000 }, () => "y".repeat(8_000));
    const address = await addRun("run_many", { log });
    const sockets = await Promise.all(Array.from({ length: 30 }, () => askOnly(address)));
    const begun = () => sockets.filter(hasBegun);
    await until("their first bytes", () => begun().length === 20);
    await addRun("run_graces", { log, user: "user_grace" });
    const query = "run_id=run_graces&user_id=user_grace";
    const other = await service.call(service.keys.grace, "GET", `/get_pl_run?${query}`);
    expect((await other.json()).log).toHaveLength(log.length);
    expect(begun()).toHaveLength(20);
    for (const socket of begun()) socket.destroy();
    await until("those who waited", () => begun().length === 30);
    for (const socket of sockets) socket.destroy();
  });

  test("S-91: that is removed while it is read is cut off, and never looks like a shorter one", async () => {
    const log = Array.from({ length: 4_000 }, () => "z".repeat(8_000));
    const address = await addRun("run_removed", { log });
    const answer = await get(address, { "accept-encoding": "identity" });
    await pool().query("delete from log_lines where execution_id = 'run_removed'");
    await expect(answer.text()).rejects.toThrow();
  });

  test("that has lost a row is cut off as well", async () => {
    const log = lines(3_000);
    const address = await addRun("run_gap", { log });
    await pool().query(
      "delete from log_lines where execution_id = 'run_gap' and seq = (select min(seq) from log_lines where execution_id = 'run_gap' and seq > 1000)",
    );
    await expect(get(address).then((answer) => answer.text())).rejects.toThrow();
  });
});

test("S-91: a run with large outputs is answered whole, in pieces", async () => {
  const text = "🙂é".repeat(900_000);
  const address = await addRun("run_outputs", { log: ["done"], outputs: { text, more: [1, 2] } });
  const answer = await get(address);
  expect(answer.headers.get("content-length")).toBeNull();
  expect(await answer.json()).toMatchObject({ outputs: { text, more: [1, 2] }, log: ["done"] });
});
