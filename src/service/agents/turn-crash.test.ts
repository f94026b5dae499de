import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { type Death, live, newTurn } from "../../testing/dying-turn.ts";
import {
  type FakeModelServer,
  type ModelCallSeen,
  startFakeModelServer,
} from "../../testing/fake-model-server.ts";
import { claudeCall, claudeToldBack, geminiCalls } from "../../testing/model-streams.ts";
import type { Execution } from "../engine/kind.ts";

let app: AgentService;
let claude: FakeModelServer;
beforeAll(async () => {
  claude = await startFakeModelServer();
  app = await startAgentService({
    work: false,
    environment: {
      ...{ ANTHROPIC_API_KEY: "key-of-claude", ANTHROPIC_BASE_URL: claude.url },
      WHEELHOUSE_ANTHROPIC_MODELS: "claude",
    },
  });
});
afterAll(async () => {
  await app.stop();
  await claude.close();
});

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

describe("what a provider wants back with the calls of a turn", () => {
  const file = '{"name":"a.txt","content":"a"}';
  /** What the model is told of its own answer, by a turn that dies at one of its writes. */
  async function told(model_name: string, server: FakeModelServer, body: string, death: Death | null) {
    await app.context.store.db
      .updateTable("agents")
      .set({ model_name })
      .where("id", "=", "agent_kim")
      .execute();
    // Anthropic's protocol tells of results as a person's message.
    const isAsked = (call: ModelCallSeen) => call.messages.length === (server === claude ? 1 : 2);
    server.otherwise((call) => (isAsked(call) ? { type: "raw", body } : { type: "status", status: 400 }));
    const execution = await newTurn(app, ["Write"], "agent_kim");
    const { writes } = await live(app, execution, { death });
    const answers = server.calls.at(-1)?.messages.filter(({ role }) => role === "assistant");
    return { writes, answers };
  }

  it.each(["local/fake", "anthropic/claude"])(
    "is there for %s whichever process goes on with the turn",
    async (model) => {
      const isClaude = model !== "local/fake";
      const server = isClaude ? claude : app.model;
      const body = isClaude ? claudeCall("write_file", file) : geminiCalls("write_file", file);
      const { writes, answers } = await told(model, server, body, null);
      expect(answers).toMatchObject(
        isClaude
          ? [{ content: claudeToldBack }]
          : [{ tool_calls: [{ extra_content: { google: { thought_signature: "sig-gemini+/=" } } }, {}] }],
      );
      for (let at = 1; at <= writes; at++) {
        for (const when of ["before", "after"] as const) {
          expect((await told(model, server, body, { at, when })).answers).toEqual(answers);
        }
      }
    },
  );
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
