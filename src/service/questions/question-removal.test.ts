import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, startAgentService } from "../../testing/agents.ts";
import { answer, askedOnce, askingAgent } from "../../testing/approvals.ts";
import { addFlow, askedOnceByRun, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { tablesWith } from "../../testing/tables-with.ts";
import { eraseDeleted } from "../agents/erase-conversations.ts";
import { removeRuns } from "../retention/remove-runs.ts";
import { readRules } from "../retention/rules.ts";

let app: AgentService;
let agent: string;
const word = "Zanzibarische";
beforeAll(async () => {
  app = await startAgentService();
  agent = await askingAgent(app, {
    approvals: { tools: { write_file: "ask" }, who: "people", people: ["user_kim"] },
  });
  await addFlow(
    app,
    "flow_ask",
    `
  ask: { type: approval, question: "May it go?", form: [{ name: note, type: text }], who: people, people: [user_kim] }
  what: { type: output, value: "{{ ask.reason }}", join: any }
`,
  );
});
afterAll(() => app.stop());

const seen = async (id: string) => (await app.call("kim", "GET", `/inbox/${id}`)).status;
const listed = async (): Promise<string[]> =>
  (await app.call("kim", "GET", "/inbox?state=answered&page_size=100")).body.items.map(
    ({ id }: { id: string }) => id,
  );
/** Whom questions name, of those that are left. */
const left = async (id: string) => {
  const { db } = app.context.store;
  const { rows } = await sql`select from approvals where id = ${id}
    union all select from approval_people where approval_id = ${id}`.execute(db);
  return rows.length;
};

describe("What was asked", () => {
  it("S-223: goes with its conversation: hidden when that is deleted, without a word when it is erased", async () => {
    const { db } = app.context.store;
    const message = `/write_file ${JSON.stringify({ name: "a.txt", content: word })}`;
    const { id, item } = await askedOnce(app, message, { gummie_id: agent });
    await answer(app, item, { answer: "refuse", reason: `${word} nicht` });
    await app.settled(id);
    expect([await seen(item.id), await listed(), await left(item.id)]).toEqual([200, [item.id], 2]);
    expect(await tablesWith(db, word)).toContain("public.approvals");
    await app.call("kim", "DELETE", `/interactions/${id}`);
    expect([await seen(item.id), await listed()]).toEqual([404, []]);
    await app.call("kim", "POST", `/interactions/${id}/restore`);
    expect(await seen(item.id)).toBe(200);
    await app.call("kim", "DELETE", `/interactions/${id}`);
    await sql`update interactions set deleted_at = now() - interval '25 hours' where id = ${id}`.execute(db);
    expect(await eraseDeleted(app.context.store)).toBe(1);
    expect([await seen(item.id), await left(item.id)]).toEqual([404, 0]);
    expect(await tablesWith(db, word)).toEqual([]);
  });

  it("S-223: goes with its run, when that has been kept for long enough", async () => {
    const { db } = app.context.store;
    const runId = await startFlow(app, "flow_ask");
    const item = await askedOnceByRun(app, runId);
    await answer(app, item, { answer: "approve", values: { note: `${word} ja` } });
    expect((await runEnd(app, runId)).state).toBe("DONE");
    expect([await seen(item.id), await left(item.id)]).toEqual([200, 2]);
    await sql`update executions set finished_at = now() - interval '2 days', created_at = now() - interval '2 days'
      where id = ${runId}`.execute(db);
    const rules = readRules({ runs: "1d", failed_runs: "1d", teams: {} });
    const { removed } = await db.transaction().execute((tx) => removeRuns(tx, rules, null));
    expect(removed).toBe(1);
    expect([await seen(item.id), await listed(), await left(item.id)]).toEqual([404, [], 0]);
    expect(await tablesWith(db, `${word} ja`)).toEqual([]);
  });

  it("stays where only the flow or the agent goes", async () => {
    const { id, item } = await askedOnce(app, '/write_file {"name":"b.txt","content":"b"}', {
      gummie_id: agent,
    });
    await answer(app, item, { answer: "approve" });
    await app.settled(id);
    await app.call("kim", "PATCH", `/agents/${agent}`, { is_active: false }, asOwner("kim"));
    expect((await app.call("kim", "GET", `/inbox/${item.id}`)).body.item).toMatchObject({
      state: "approved",
      answer: { by: { id: "user_kim" } },
    });
  });
});
