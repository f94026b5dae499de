import type { McpAnswer } from "../../service/mcp/answer.ts";
import type { Mcp, McpTool } from "../../service/mcp/mcp.ts";
import { offlineLimits } from "../../service/models/limits.ts";
import type { Models } from "../../service/models/models.ts";
import type { ModelAnswer, ModelRequest } from "../../service/models/types.ts";
import type { Store } from "../../service/store/store.ts";
import { mcpFor } from "../mcp.ts";

/** The server whose tools the agent has: `run` is called without a question, `ask` with one. */
export const toolServer = "outside";

/** A model that does what the last message ends with: see `plans`. Its last answer says what it was asked and what came of it. */
export const scriptedModel: Models = {
  groups: () => [],
  has: () => true,
  limits: () => offlineLimits,
  preferred: "outside/model",
  ask: async (request) => answerTo(request),
};

function answerTo({ messages, output }: ModelRequest): ModelAnswer {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[last];
  const message = question?.role === "user" ? question.text : "";
  const usage = { input_tokens: 1, output_tokens: 1 };
  // Whoever wants a form judges a conversation.
  if (output !== undefined) {
    const text = JSON.stringify({ summary: "It was said.", call_successful: "success" });
    return { text, reasoning: null, toolCalls: [], finish: "stop", usage };
  }
  const after = messages.slice(last + 1).flatMap((one) => (one.role === "tool" ? one.answers : []));
  const calls = after.length > 0 ? [] : callsOf(message);
  if (calls.length > 0) {
    return { text: "", reasoning: null, toolCalls: calls, finish: "tools", usage };
  }
  const came = after.map(({ failed }) => (failed ? "not made" : "made")).join(", ");
  return { text: `${message}: ${came}`, reasoning: null, toolCalls: [], finish: "stop", usage };
}

function callsOf(message: string) {
  const plan = message.slice(message.indexOf(" ") + 1);
  return ["run", "ask"]
    .filter((tool) => plan.split(" and ").includes(tool))
    .map((tool, index) => ({ id: `call ${index}`, name: `${toolServer}__${tool}`, args: { message } }));
}

const tool = (name: string): McpTool => ({
  name,
  description: name,
  inputSchema: { type: "object" },
  title: null,
  outputSchema: null,
  annotations: null,
  hash: `hash of ${name}`,
  held: null,
});

/** The tools of that server. @param call has the effect of a call with this key; what it gives is whether that failed */
export function outsideTools(store: Store, call: (key: string) => Promise<boolean>): Mcp {
  return {
    ...mcpFor(store, { [toolServer]: { url: "http://outside.invalid" } }),
    listTools: async () => [tool("run"), tool("ask")],
    lastHash: async (_, __, name) => `hash of ${name}`,
    async callTool(_, __, { key, args }): Promise<McpAnswer> {
      const isError = await call(key);
      const text = [key, ...Object.values(args).filter((value) => typeof value === "number")].join("@");
      return { content: [{ type: "text", text }], structured: null, isError };
    },
  };
}
