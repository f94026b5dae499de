import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { newTurn } from "../../testing/dying-turn.ts";
import { writeAttached } from "../engine/attached-rows.ts";
import type { Execution } from "../engine/kind.ts";
import { askedRows } from "../questions/rows.ts";
import { type AnswerWrite, answerRows, type TurnEnd, turnEndRow } from "./conversation-writes.ts";
import type { ToolPart } from "./parts.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

const call = (id: string, toolCallState: ToolPart["toolCallState"]): ToolPart => ({
  ...{ id, type: "tool_invocation", toolCallId: id, toolName: "write_file", toolCallState },
  ...{ result: { args: {}, result: null }, started_at: "2026-11-29T08:00:00.000Z" },
});
const failed: TurnEnd = { type: "failed", error: "It was too much." };

const place = ({ subjectId }: Execution) => ({ interactionId: subjectId, seq: 2 });
const said = (turn: Execution, write: AnswerWrite) => answerRows(app.context.ids, place(turn), write);
const ended = (turn: Execution, how: TurnEnd = failed) => turnEndRow(app.context.ids, place(turn), how);

async function seen({ subjectId }: Execution) {
  const { body } = await app.call("kim", "GET", `/agent_status/${subjectId}?user_id=user_kim`);
  return { state: body.state, parts: body.messages[1].parts };
}

it("fails calls that never came back with their turn, said before its end or in the same statement", async () => {
  const { db } = app.context.store;
  const turn = await newTurn(app, ["Hello."]);
  const before = { parts: [call("tool-1-0", "completed"), call("tool-1-1", "running")] };
  await writeAttached(db, turn.id, [said(turn, before)]);
  const usage = { input_tokens: 3, output_tokens: 4 };
  const last = { parts: [call("tool-2-0", "running"), call("tool-1-0", "failed")], usage };
  await writeAttached(db, turn.id, [said(turn, last), ended(turn)]);
  const { state, parts } = await seen(turn);
  expect(state).toBe("FAILED");
  const states = parts.map((part: ToolPart & { type: string }) => [
    part.id,
    part.toolCallState,
    part.finished_at,
  ]);
  const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(states).toEqual([
    ["tool-1-0", "failed", undefined],
    ["tool-1-1", "failed", now],
    ["tool-2-0", "failed", now],
    ["error", undefined, undefined],
  ]);
  const counted = db.selectFrom("interactions").select(["input_tokens", "output_tokens"]);
  expect(await counted.where("id", "=", turn.subjectId).executeTakeFirst()).toEqual(usage);
});

it("ends no other turn of a conversation than the one that it is in", async () => {
  const { db } = app.context.store;
  const turn = await newTurn(app, ["Hello."]);
  const other = { ...turn, id: "exec_before" };
  await writeAttached(db, other.id, [ended(other)]);
  const { body } = await app.call("kim", "GET", `/agent_status/${turn.subjectId}?user_id=user_kim`);
  expect(body.state).toBe("ASYNC_PROCESSING");
  const messages = db.selectFrom("messages").select("role").where("interaction_id", "=", turn.subjectId);
  expect(await messages.execute()).toEqual([{ role: "user" }]);
});

it("withdraws what a server has asked and nobody has answered when its turn is completed without that", async () => {
  const { db } = app.context.store;
  const turn = await newTurn(app, ["Hello."]);
  await db
    .insertInto("steps")
    .values({ execution_id: turn.id, key: "asks", state: "waiting", wake_at: new Date() })
    .execute();
  const { interactionId, seq } = place(turn);
  const asked = askedRows({
    ...{ kind: "server", id: "apr_1", stepKey: "asks", userId: "user_kim", teamId: null, definition: {} },
    ...{ who: "person", people: [], lapseSeconds: 60, interactionId, messageSeq: seq, partId: "tool-1-0" },
    ...{ agentId: "agent_offline", toolCallId: "call", definitionHash: "hash", argumentsText: "{}" },
    againForStep: null,
  });
  await writeAttached(db, turn.id, [asked]);
  const state = () => db.selectFrom("approvals").select("state").where("id", "=", "apr_1").execute();
  expect(await state()).toEqual([{ state: "waiting" }]);
  await writeAttached(db, turn.id, [ended(turn, { type: "completed", response: "Done." })]);
  expect(await state()).toEqual([{ state: "withdrawn" }]);
  expect((await seen(turn)).state).toBe("COMPLETED");
});
