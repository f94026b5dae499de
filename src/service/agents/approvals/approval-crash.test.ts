import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../../testing/agents.ts";
import { answering, questionsOf } from "../../../testing/answering.ts";
import { askingAgent } from "../../../testing/approvals.ts";
import { type Death, live, newTurn } from "../../../testing/dying-turn.ts";

let app: AgentService;
let agent: string;
beforeAll(async () => {
  app = await startAgentService({ work: false });
  agent = await askingAgent(app);
});
afterAll(() => app.stop());

const text = '{"name":"b.txt","content":"By a person."}';

async function lived(death: Death | null, body: Readonly<Record<string, unknown>>) {
  const message = '/write_file {"name":"a.txt","content":"By a model."}';
  const execution = await newTurn(app, [message], agent);
  const { outcome, writes } = await live(app, execution, { death, wake: answering(app, execution, body) });
  const { body: artifacts } = await app.call("kim", "GET", `/artifacts?session_id=${execution.subjectId}`);
  const { body: read } = await app.call("kim", "GET", `/sessions/${execution.subjectId}`);
  const files = artifacts.artifacts.map((one: { filename: string; major_version: number }) => [
    one.filename,
    one.major_version,
  ]);
  const parts = read.session.messages[1].parts.map(
    (part: { type: string; toolCallState?: string; approval?: { state: string } }) =>
      [part.type, part.toolCallState, part.approval?.state].filter(Boolean).join(" "),
  );
  const asked = (await questionsOf(app, execution)).map(({ state }) => state);
  return { writes, there: { outcome: outcome.type, files, parts, asked } };
}

describe("S-69: a turn that is cut off at any of its writes around a question", () => {
  it.each([
    ["approved", { answer: "approve" }, [["a.txt", 1]], "completed"],
    ["approved", { answer: "approve_edited", arguments_text: text }, [["b.txt", 1]], "completed"],
    ["refused", { answer: "refuse" }, [], "failed"],
  ])("that was %s by %o asks once, and makes the call once", async (state, body, files, call) => {
    const undisturbed = await lived(null, body);
    expect(undisturbed.there).toEqual({
      outcome: "done",
      files,
      parts: [`tool_invocation ${call} ${state}`, ...(files.length > 0 ? ["file"] : []), "text"],
      asked: [state],
    });
    expect(undisturbed.writes).toBeGreaterThanOrEqual(3);
    for (let at = 1; at <= undisturbed.writes; at++) {
      for (const when of ["before", "after"] as const) {
        const { there } = await lived({ at, when }, body);
        expect([at, when, there]).toEqual([at, when, undisturbed.there]);
      }
    }
  });
});
