import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../../testing/agents.ts";
import { askedOnce, askingAgent } from "../../../testing/approvals.ts";
import { waitedForPeople } from "./waited.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

/** When a question was asked, answered, and would lapse, in seconds from now. */
type Waited = readonly [asked: number, answered: number | null, lapses: number];

/** For how many seconds a turn has waited whose questions waited like this. */
async function waited(...all: readonly Waited[]): Promise<number> {
  const { db } = app.context.store;
  const agent = await askingAgent(app);
  const { item } = await askedOnce(app, '/write_file {"name":"a.txt","content":"Fair wind."}', {
    gummie_id: agent,
  });
  const { execution_id: id } = await db
    .selectFrom("approvals")
    .select("execution_id")
    .where("id", "=", item.id)
    .executeTakeFirstOrThrow();
  for (const [index, [asked, answered, lapses]] of all.entries()) {
    await sql`
      insert into approvals select (jsonb_populate_record(approvals, jsonb_build_object(
          'id', ${`${item.id}_${index}`}::text, 'step_key', 'asked-' || ${index}::text,
          'asked_at', now() + make_interval(secs => ${asked}),
          'answered_at', now() + make_interval(secs => ${answered}::float8),
          'answer', case when ${answered}::float8 is not null then 'approve' end,
          'lapses_at', now() + make_interval(secs => ${lapses})))).*
        from approvals where id = ${item.id}`.execute(db);
  }
  await db.deleteFrom("approvals").where("id", "=", item.id).execute();
  return Math.round((await waitedForPeople(db, id)) / 1_000);
}

it("a turn has waited for people as long as its questions did one after the other", async () => {
  expect(await waited([-1_000, -900, 0], [-500, -300, 0])).toBe(300);
});

it("a turn whose questions waited at the same time has waited once", async () => {
  expect(await waited([-1_000, -900, 0], [-950, -850, 0], [-990, -980, 0])).toBe(150);
});

it("a turn has waited until now where it still waits, and no longer than until its question lapsed", async () => {
  expect(await waited([-1_000, null, 1_000])).toBe(1_000);
  expect(await waited([-1_000, null, -400])).toBe(600);
});

it("a turn has not waited where its question was answered before it was asked, as the clock was turned back", async () => {
  expect(await waited([-100, -200, 0])).toBe(0);
});
