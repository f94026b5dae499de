import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { live, newTurn } from "../../testing/dying-turn.ts";
import type { Execution } from "../engine/kind.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

const commands = [
  '/write_file {"name":"a.txt","content":"a"}',
  '/run_flow {"saved_item_id":"flow_any"}',
  '/write_file {"name":"a.txt","content":"b"}',
  '/read_file {"name":"a.txt"}',
];

async function whatIsThere({ subjectId }: Execution) {
  const { body } = await app.call("kim", "GET", `/agent_status/${subjectId}?user_id=user_kim`);
  const artifacts = await app.call("kim", "GET", `/artifacts?session_id=${subjectId}`);
  const [user, assistant, ...more] = body.messages;
  return {
    state: body.state,
    messages: [user.role, assistant.role, ...more],
    parts: assistant.parts.map(
      (part: { type: string; toolCallState?: string }) => `${part.type} ${part.toolCallState ?? ""}`,
    ),
    response: body.response.replaceAll(/(art|run)_\w+/g, "$1"),
    files: artifacts.body.artifacts.map((one: { filename: string; major_version: number }) => [
      one.filename,
      one.major_version,
    ]),
  };
}

describe("S-04: a turn that is cut off at any of its writes", () => {
  it("ends as if nothing had happened, with each file and each part once", async () => {
    const undisturbed = await newTurn(app, commands);
    const { writes } = await live(app, undisturbed, { death: null });
    const expected = await whatIsThere(undisturbed);
    expect(expected.state).toBe("COMPLETED");
    expect(expected.files).toEqual([["a.txt", 2]]);
    expect(writes).toBeGreaterThanOrEqual(7);
    for (let at = 1; at <= writes; at++) {
      for (const when of ["before", "after"] as const) {
        const execution = await newTurn(app, commands);
        const { outcome } = await live(app, execution, { death: { at, when } });
        expect([at, when, outcome.type]).toEqual([at, when, "done"]);
        expect(await whatIsThere(execution)).toEqual(expected);
      }
    }
  });
});

describe("what others learn of", () => {
  it("is asked for when the answer is recorded that wants it", async () => {
    const recorded: (readonly string[])[] = [];
    const execution = await newTurn(app, ['/http_get {"url":"https://example.com/"}']);
    const { outcome } = await live(app, execution, { death: null, asked: (keys) => recorded.push(keys) });
    expect(outcome.type).toBe("done");
    expect(recorded).toEqual([["model 1"]]);
  });
});
