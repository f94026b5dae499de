import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());

interface Case {
  readonly what: string;
  /** Number of the last line, and lines, as they are stored. */
  readonly rows: readonly (readonly [seq: number, text: string])[];
  readonly log: readonly string[];
}
const cases: readonly Case[] = [
  { what: "of a run that says nothing", rows: [], log: [] },
  { what: "of one empty line", rows: [[1, ""]], log: [""] },
  {
    what: "with a row for each line, as before an update",
    rows: [
      [1, "begun"],
      [2, ""],
      [3, 'a "quote"\\n'],
    ],
    log: ["begun", "", 'a "quote"\\n'],
  },
  {
    what: "with rows of one line and of more",
    rows: [
      [1, "begun"],
      [4, "\nsays\n"],
      [6, "it\nends"],
    ],
    log: ["begun", "", "says", "", "it", "ends"],
  },
];

test.each(cases)("A run is answered with its whole log: $what", async ({ what, rows, log }) => {
  const { pool } = service.context.store;
  const id = `run_${cases.findIndex((one) => one.what === what)}`;
  await pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, result, log_count, started_at, finished_at)
     values ($1, 'pipeline', $1, 0, 'flow', 'user_ada', 'done', '{}', 'null', $2, now(), now())`,
    [id, log.length],
  );
  for (const [seq, text] of rows)
    await pool.query("insert into log_lines values ($1, $2, $3)", [id, seq, text]);
  const answer = await service.call(service.keys.ada, "GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
  expect((await answer.json()).log).toEqual(log);
});
