import { expect, test } from "vitest";
import { brokenInvariants, expireLeases } from "../../testing/engine.ts";
import { flowHarness } from "../../testing/flows.ts";
import { type Death, mortal } from "../../testing/mortal-journal.ts";
import { until } from "../../testing/until.ts";
import { sweep } from "../engine/sweep.ts";
import { answerQuestion, type GivenAnswer } from "./answer.ts";
import { flowAnswerOf } from "./flow-question.ts";

const by = { id: "user_ada", name: "Ada", email: null };
const given = { userId: "user_ada", editedText: null, reason: null };
const answers: readonly GivenAnswer[] = [
  { ...given, answer: "approve", values: { pier: "A" } },
  { ...given, answer: "refuse", values: null },
];

test("S-115: a run whose worker dies before or after any of its writes around a question asks once and hears the answer once", async () => {
  let death: Death = { moment: -1, side: "before", writes: 0, happened: false };
  const harness = await flowHarness({
    wrap: (kind) => ({ advance: (execution, journal) => kind.advance(execution, mortal(journal, death)) }),
  });
  const { pool, db } = harness.store;
  await harness.add(`
id: flow_ask
name: Ask
owner: user_ada
nodes:
  ask: { type: approval, question: "Go?", form: [{ name: pier, type: text }] }
  many: { type: each, items: [1], do: { type: approval, question: "And {{ item }}?" }, after: [ask] }
  no: { type: template, text: "refused", when: ask.refused }
  out: { type: output, value: "{{ ask.outcome }} {{ ask.answers.pier }} {{ many.value | map: 'outcome' | join }}", join: any }
`);
  const open = (runId: string) =>
    db
      .selectFrom("approvals")
      .innerJoin("steps", (join) =>
        join
          .onRef("steps.execution_id", "=", "approvals.execution_id")
          .onRef("steps.key", "=", "approvals.step_key"),
      )
      .select(["approvals.id", "approvals.execution_id"])
      .where("run_id", "=", runId)
      .where("approvals.state", "=", "waiting")
      .execute();
  const isOver = async (runId: string) =>
    (await pool.query("select from executions where id = $1 and finished_at is not null", [runId])).rows
      .length === 1;
  for (const answer of answers) {
    for (const side of ["before", "after"] as const) {
      for (let moment = 0; ; moment++) {
        death = { moment, side, writes: 0, happened: false };
        const runId = await harness.start("flow_ask");
        let isTakenOver = false;
        await until(`${runId} to end`, async () => {
          if (death.happened && !isTakenOver) {
            isTakenOver = true;
            // As if its lease had run out: somebody else takes it up.
            await expireLeases(harness.store, runId);
            await sweep(db);
          }
          for (const row of await open(runId))
            await answerQuestion(harness.store, row, answer, (answered) => ({
              ...flowAnswerOf(answered, by),
            }));
          return await isOver(runId);
        });
        const { outputs, log } = await harness.end(runId);
        const isYes = answer.answer === "approve";
        expect([side, moment, outputs]).toEqual([
          side,
          moment,
          { out: isYes ? "approved A approved" : "refused  " },
        ]);
        const { rows } = await pool.query("select state from approvals where run_id = $1", [runId]);
        expect(rows).toEqual(Array(isYes ? 2 : 1).fill({ state: isYes ? "approved" : "refused" }));
        expect(log.filter((line) => line === "[ask] asks: Go?")).toHaveLength(1);
        if (!death.happened) {
          expect(moment).toBeGreaterThan(3);
          break;
        }
      }
    }
  }
  expect(await brokenInvariants(harness.store)).toEqual([]);
  await harness.stop();
}, 300_000);
