import type { Client, Tool } from "@modelcontextprotocol/client";
import { askLimits } from "../../contract/mcp.ts";
import { anySignal } from "../any-signal.ts";
import type { JsonObject } from "../json.ts";
import type { TraceHeaders } from "../traceparent.ts";
import { type McpAnswer, toAnswer } from "./answer.ts";
import { answeredError } from "./connect.ts";
import type { Exchange } from "./exchanges.ts";
import { McpError } from "./mcp-error.ts";
import { type AnsweredAsks, type Asks, readAsks, readQuestion } from "./server-question.ts";

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly trace?: TraceHeaders | undefined;
}

/**
 * Calls a tool once, with what was answered before in the same call.
 * @param timeout milliseconds
 * @throws McpError
 */
export async function makeCall(
  { ask, questions, config, lease, requester }: Exchange,
  { tool, args, key, signal, trace }: Call,
  answered: readonly AnsweredAsks[],
  timeout: number,
): Promise<McpAnswer | { readonly asks: Asks }> {
  const last = answered.at(-1);
  const inputResponses = Object.fromEntries(last?.answers.map(({ id, answer }) => [id, answer]) ?? []);
  const isLegacy = (client: Client) => client.getProtocolEra() !== "modern";
  const again = (client: Client) => {
    if (last === undefined || isLegacy(client)) return {};
    return { inputResponses, ...(last.state === null ? {} : { requestState: last.state }) };
  };
  const meta = { _meta: { ...trace, "wheelhouse/idempotency-key": key } };
  const request = async (client: Client) => {
    const params = { name: tool, arguments: { ...args }, ...meta, ...again(client) };
    // The SDK never lets go of a signal: each call has one of its own.
    const limits = { signal: anySignal([signal]), timeout, allowInputRequired: true };
    // Its inputs say which of them are headers as well. Without what it says of its output: that would be compiled into code.
    const toolDefinition: Tool = { name: tool, inputSchema: { ...lease.inputs?.get(tool), type: "object" } };
    const came: object = await client.callTool(params, { ...limits, toolDefinition });
    return came;
  };
  const { result, asked } = await questions.during(answered, requester, () => ask(request));
  // Whatever came of a call in which nobody decided is not its answer.
  if (asked.length > 0) return { asks: { questions: asked, state: null } };
  if (result.status === "rejected") return answeredWith(result.reason, answered);
  const came: Readonly<Record<string, unknown>> = { ...result.value };
  if (came.resultType !== "input_required") return toAnswer(came);
  const { inputRequests, requestState } = came;
  if (typeof requestState === "string" && requestState.length > askLimits.state)
    throw new McpError("too_large", `The MCP server ${config.name} asks with more than can be kept.`);
  const requests = typeof inputRequests === "object" && inputRequests !== null ? { ...inputRequests } : {};
  return { asks: readAsks(requests, typeof requestState === "string" ? requestState : null) };
}

/** Of revision 2025-11-25: the call needs pages to be opened first (`URLElicitationRequiredError`). */
const linkNeeded = -32_042;

/** The server did answer: its words are the tool's. @throws what it is, where it did not */
function answeredWith(
  error: unknown,
  answered: readonly AnsweredAsks[],
): McpAnswer | { readonly asks: Asks } {
  const cause = error instanceof McpError ? error.cause : error;
  const refusal = answeredError(cause);
  if (refusal === null) throw error;
  const links = refusal.code === linkNeeded ? linksOf(cause) : [];
  const wasAccepted = answered.at(-1)?.answers.every(({ answer }) => answer.action === "accept") ?? true;
  if (links.length > 0 && wasAccepted) {
    const questions = links.map((link, index) => readQuestion(String(index), { mode: "url", ...link }));
    return { asks: { questions, state: null } };
  }
  return { content: [{ type: "text", text: refusal.message }], structured: null, isError: true };
}

function linksOf(error: unknown): readonly object[] {
  const data: unknown = typeof error === "object" && error !== null && "data" in error ? error.data : null;
  const links: unknown =
    typeof data === "object" && data !== null && "elicitations" in data ? data.elicitations : null;
  return Array.isArray(links) ? links.filter((one) => typeof one === "object" && one !== null) : [];
}
