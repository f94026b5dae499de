import { expect, test } from "vitest";
import { brokenInvariants, expireLeases } from "../../testing/engine.ts";
import { type FlowEnd, type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { startModernMcpServer } from "../../testing/modern-mcp-server.ts";
import { type Death, mortal } from "../../testing/mortal-journal.ts";
import { until } from "../../testing/until.ts";
import { sweep } from "../engine/sweep.ts";
import type { JsonValue } from "../json.ts";
import { answerQuestion, type GivenAnswer, type QuestionRow } from "./answer.ts";
import { flowAnswerOf } from "./flow-question.ts";
import { serverAnswerOf } from "./server-questions.ts";

const by = { id: "user_ada", name: "Ada", email: null };
const given = { userId: "user_ada", editedText: null, reason: null };

const outputOf = (row: QuestionRow): JsonValue =>
  row.kind === "server" ? serverAnswerOf(row.answer, row.form_values) : { ...flowAnswerOf(row, by) };

interface Lives {
  /** The flow `flow_ask`. */
  readonly yaml: string;
  readonly mcpServers?: object;
  readonly answers: readonly GivenAnswer[];
  /** How a run has ended whose questions were answered so, whatever died on the way. */
  check(answer: GivenAnswer, end: FlowEnd & { readonly states: readonly string[] }): void;
}

/** Runs a flow as often as it has writes, each time with a worker that dies before, and then after, one of them. */
async function liveThrough({ yaml, mcpServers = {}, answers, check }: Lives): Promise<void> {
  let death: Death = { moment: -1, side: "before", writes: 0, happened: false };
  const harness = await flowHarness({
    wrap: (kind) => ({ advance: (execution, journal) => kind.advance(execution, mortal(journal, death)) }),
    mcpServers,
  });
  await harness.add(yaml);
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
            await sweep(harness.store.db);
          }
          for (const row of await open(harness, runId))
            await answerQuestion(harness.store, row, answer, outputOf);
          return await isOver(harness, runId);
        });
        const { rows } = await harness.store.pool.query<{ state: string }>(
          "select state from approvals where run_id = $1",
          [runId],
        );
        check(answer, { ...(await harness.end(runId)), states: rows.map(({ state }) => state) });
        if (!death.happened) {
          expect(moment).toBeGreaterThan(3);
          break;
        }
      }
    }
  }
  expect(await brokenInvariants(harness.store)).toEqual([]);
  await harness.stop();
}

const open = ({ store }: FlowHarness, runId: string) =>
  store.db
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

async function isOver({ store }: FlowHarness, runId: string): Promise<boolean> {
  const ended = "select from executions where id = $1 and finished_at is not null";
  return (await store.pool.query(ended, [runId])).rows.length === 1;
}

test("S-115: a run whose worker dies before or after any of its writes around a question asks once and hears the answer once", async () => {
  await liveThrough({
    yaml: `
id: flow_ask
name: Ask
owner: user_ada
nodes:
  ask: { type: approval, question: "Go?", form: [{ name: pier, type: text }] }
  many: { type: each, items: [1], do: { type: approval, question: "And {{ item }}?" }, after: [ask] }
  no: { type: template, text: "refused", when: ask.refused }
  out: { type: output, value: "{{ ask.outcome }} {{ ask.answers.pier }} {{ many.value | map: 'outcome' | join }}", join: any }
`,
    answers: [
      { ...given, answer: "approve", values: { pier: "A" } },
      { ...given, answer: "refuse", values: null },
    ],
    check({ answer }, { outputs, states, log }) {
      const isYes = answer === "approve";
      expect(outputs).toEqual({ out: isYes ? "approved A approved" : "refused  " });
      expect(states).toEqual(Array(isYes ? 2 : 1).fill(isYes ? "approved" : "refused"));
      expect(log.filter((line) => line === "[ask] asks: Go?")).toHaveLength(1);
    },
  });
}, 300_000);

test("S-212: a run that dies around the question of an MCP server asks once, and its calls have one key", async () => {
  const server = await startModernMcpServer();
  let before = 0;
  await liveThrough({
    yaml: `
id: flow_ask
name: Ask
owner: user_ada
nodes:
  call: { type: mcp_tool, server: pier, tool: ask }
  out: { type: output, value: "{{ call.value }}" }
`,
    mcpServers: { pier: { name: "Pier", url: server.url } },
    answers: [{ ...given, answer: "approve", values: { berth: "North 7" } }],
    check(_, { execution, outputs, states, log }) {
      const calls = server.calls.slice(before);
      before = server.calls.length;
      expect(outputs).toEqual({ out: expect.stringContaining("North 7") });
      expect(states).toEqual(["approved"]);
      expect(log.filter((line) => line === "[call] the server asks: Which berth?")).toHaveLength(1);
      // What was not recorded is asked of the server again, which can tell by the key.
      expect(new Set(calls.map(({ key }) => key))).toEqual(new Set([`${execution.id}:call`]));
      expect(calls.length).toBeLessThanOrEqual(3);
    },
  });
  await server.close();
}, 300_000);
