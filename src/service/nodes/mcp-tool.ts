import { z } from "zod";
import { formatDuration } from "../../contract/duration.ts";
import { askLimits } from "../../contract/mcp.ts";
import { isJsonObject, type JsonObject, type JsonValue, toJsonValue } from "../json.ts";
import { toolCallId } from "../mcp/definition.ts";
import type { McpAnswer } from "../mcp/mcp.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { ownerOf } from "../mcp/owner.ts";
import { questionsAtOnce } from "../mcp/server-question.ts";
import {
  type AskedInCall,
  type AskKeys,
  askedInCall,
  recordableAsks,
  restlessServerWords,
} from "../questions/server-questions.ts";
import { askFields, namesWhomItAsks } from "./approval-fields.ts";
import { actorFor, credentialsField } from "./credentials.ts";
import { commonFields, defineNode, done, type NodeCall, NodeError, outsideFields } from "./node.ts";

const schema = z
  .strictObject({
    type: z.literal("mcp_tool"),
    ...commonFields,
    ...outsideFields,
    /** The server's id in `mcp.json`. */
    server: z.string().min(1).max(100),
    tool: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.json()).default({}),
    ...credentialsField,
    ...askFields,
  })
  .refine(...namesWhomItAsks);
type Call = NodeCall<z.output<typeof schema>>;

/**
 * Calls one tool of an MCP server of `mcp.json`. What it answers is data. Where the server asks people before it goes on, the node
 * waits for their answer without holding a worker or a place, and makes the call again with it, under the same key.
 */
export const mcpTool = defineNode({
  type: "mcp_tool",
  schema,
  outputs: ["value"],
  literals: ["server", "tool", "credentials", "who", "people", "lapse_s"],
  timeoutMs: 60_000,
  waits: true,
  async run(call) {
    const { config, fields, facts, services, steps, key, signal, requester, trace } = call;
    const { server, tool } = config;
    const owner = ownerOf(actorFor(config.credentials, facts, server));
    if (!(await services.mayUseServer(server, facts))) {
      throw new NodeError(`there is no MCP server "${server}" that this run may use`);
    }
    const args = isJsonObject(fields.arguments) ? fields.arguments : {};
    for (;;) {
      const asked = askedInCall(steps, keys);
      await putQuestions(call, args, asked);
      if (asked.unasked.length > 0 || asked.isWaiting) return { type: "waiting" };
      await noteLapses(call, asked);
      try {
        const came = await services.mcp.callTool(
          server,
          owner,
          { tool, args, key, signal, requester, trace },
          asked.answered,
        );
        if (!("asks" in came)) return done({ value: ofAnswer(tool, came) });
        const round = asked.answered.length + 1;
        if (round > askLimits.rounds) throw new NodeError(restlessServerWords);
        const lines = came.asks.questions.flatMap(({ refusal }) =>
          refusal === null ? [] : [`the server ${refusal}: declined without asking anybody`],
        );
        await steps.record(keys.asked(round), recordableAsks(came.asks), lines);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        const passing = error.failure === "unreachable" || error.failure === "timeout";
        throw new NodeError(error.whole.replace(/\.$/, ""), { passing, cause: error });
      }
    }
  },
});

/** Questions are numbered through all rounds. */
const keys: AskKeys = {
  asked: (round) => `asked${round}`,
  wait: (round, index) => `question${(round - 1) * questionsAtOnce + index + 1}`,
};

/** Asks people what nobody was asked yet. */
async function putQuestions({ config, services, steps }: Call, args: JsonObject, { unasked }: AskedInCall) {
  const { server, tool, credentials, who, people = [], lapse_s: lapseSeconds } = config;
  for (const { stepKey, question } of unasked) {
    const { message = "", fields = [], link = null } = question.shown ?? {};
    await steps.ask(
      stepKey,
      {
        ...{ id: services.ids.make("ask"), question: message, details: null, fields },
        ...{ who, people, lapseSeconds },
        call: {
          ...{ toolCallId: toolCallId(server, tool), name: tool, server: { id: server, credentials }, link },
          ...{ digest: question.digest, argumentsText: JSON.stringify(args) },
        },
      },
      [`the server asks: ${message}`],
    );
  }
}

/** Says once of each question that nobody answered it in time. */
async function noteLapses({ config, steps, say }: Call, { lapsed }: AskedInCall) {
  for (const stepKey of lapsed) {
    if (steps.get(`${stepKey}/lapsed`) !== undefined) continue;
    say(`nobody answered within ${formatDuration(config.lapse_s * 1_000)}`);
    await steps.lapse(stepKey);
  }
}

/** @throws NodeError with what the tool says went wrong */
function ofAnswer(tool: string, answer: McpAnswer): JsonValue {
  const value = resultOf(answer);
  if (!answer.isError) return value;
  const words = typeof value === "string" ? value : JSON.stringify(value);
  throw new NodeError(`${tool} answered an error: ${words.slice(0, 1_000)}`);
}

/** Structured content; else plain text where the answer is only that; else its blocks. */
function resultOf({ content, structured }: McpAnswer): JsonValue {
  if (structured !== null) return structured;
  const texts = content.map((block) => (block.type === "text" ? block.text : null));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : toJsonValue(content);
}
