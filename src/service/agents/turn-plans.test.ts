import { afterAll, beforeAll, expect, test } from "vitest";
import { bigTables, seedHistory } from "../../testing/history.ts";
import { type ExplainedService, startExplained } from "../../testing/plans.ts";
import { testKeys } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

const tables = [...bigTables, "message_parts", "steps", "evaluations"];
let explained: ExplainedService;
beforeAll(async () => {
  explained = await startExplained();
  const { context } = explained.service;
  await seedHistory(context.store.db, { runs: 2_000, conversations: 10_000, artifacts: 5_000 });
  await context.store.pool.query(`
    insert into message_parts (interaction_id, message_seq, seq, part)
    select interaction_id, seq, 1, '{"id": "text-1", "type": "text", "text": "Said."}' from messages;
    insert into steps (execution_id, key, state, finished_at) select id, 'step', 'done', now() from executions;
    insert into evaluations (id, team_id, owner_id, name, config, enabled)
    select 'eva_' || n, 'team_h' || n % 10 + 1, 'user_h' || n % 50 + 1, n, '{}', true from generate_series(1, 10000) n;
    analyze`);
  await context.engine.work();
}, 120_000);
afterAll(() => explained.service.stop());

/** One turn with one call of a tool, from its start to its end. */
async function turn({ service } = explained): Promise<void> {
  const message = '/write_file {"name": "notes.md", "content": "Mooring lines checked."}';
  const body = { user_id: "user_ada", gummie_id: "agent_scribe", message };
  const started = await service.call(testKeys.ada, "POST", "/start_agent", body);
  const { interaction_id } = (await started.json()) as { interaction_id: string };
  await until("the turn has ended", async () => {
    const answer = await service.call(
      testKeys.ada,
      "GET",
      `/agent_status/${interaction_id}?user_id=user_ada`,
    );
    return ((await answer.json()) as { state: string }).state === "COMPLETED";
  });
}

test("a turn looks at rows of its own alone, however many conversations there are", async () => {
  // What comes again and again has one plan for all of them.
  for (let n = 0; n < 8; n++) await turn();
  const some = await explained.scansOf(async () => {
    for (let n = 0; n < 4; n++) await turn();
  });
  const scans = some.filter(({ table }) => tables.includes(table));
  expect(new Set(scans.map(({ table }) => table))).toContain("message_parts");
  expect(scans.filter(({ rows }) => rows > 50)).toEqual([]);
});

test("a file of a turn is listed by rows of its own alone, also where the first was written when there were none", async () => {
  const young = await startExplained({ within: true });
  try {
    const { context } = young.service;
    await context.engine.work();
    // Each connection keeps the plans that it made now.
    for (let n = 0; n < 12; n++) await turn(young);
    // No `analyze` after it: that would have them planned again.
    await context.store.pool.query(`
      insert into artifacts (id, agent_id, interaction_id, user_id, filename, version_id, major_version)
      select 'art_' || n, agent_id, id, user_id, n || '.md', 'ver_' || n, 1
        from (select * from interactions limit 1) talk, generate_series(1, 500) n`);
    const scans = await young.scansOf(async () => {
      for (let n = 0; n < 4; n++) await turn(young);
    });
    const listed = scans.filter(({ statement }) => statement.startsWith("insert into artifact_audience"));
    expect(new Set(listed.map(({ table }) => table))).toContain("artifacts");
    expect(listed.filter(({ rows }) => rows > 50)).toEqual([]);
  } finally {
    await young.service.stop();
  }
}, 60_000);
