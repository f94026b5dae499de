import type { Client } from "@modelcontextprotocol/client";
import { type Command, type CommandOptions, openCommand } from "./command.ts";
import type { McpServerConfig } from "./config.ts";
import { countingValues } from "./counted-fetch.ts";
import { brokenCode, endingCalls, isTooLarge, withAnswerRoom } from "./fetches.ts";
import { McpError, type McpFailure } from "./mcp-error.ts";
import { createQuestionsInCall, type QuestionsInCall } from "./questions-in-call.ts";
import type { QuestionAnswer } from "./server-question.ts";

export interface ConnectOptions extends CommandOptions {
  /** The guarded fetch, with the connection's token where it has one. */
  readonly fetch: typeof globalThis.fetch;
  readonly version: string;
  /** Whether it is known to speak no later revision than 2025-11-25, so that it need not be asked. */
  readonly isOld?: boolean;
  /** Called once when the connection is gone, for whatever reason. */
  readonly closed: () => void;
}

/** An open connection to a server. */
export interface Opened {
  readonly client: Client;
  /** The revision of the protocol that it speaks, such as `2025-11-25`. */
  readonly revision: string | null;
  readonly questions: QuestionsInCall;
  /** Puts an error of this connection into words. */
  explain(error: unknown): McpError;
}

/** Milliseconds for each question of the beginning. */
const connectTimeoutMs = 15_000;

/**
 * Connects to a server: by streamable HTTP, or by the command of the operator's file.
 * @throws McpError
 */
export async function connect(config: McpServerConfig, options: ConnectOptions): Promise<Opened> {
  const { Client } = await import("@modelcontextprotocol/client");
  // `auto`: asks by `server/discover` whether the server knows the revision without sessions, else begins one as before.
  const versionNegotiation = { mode: "auto" as const, probe: { timeoutMs: connectTimeoutMs } };
  const capabilities = { elicitation: { form: {}, url: {} } };
  const client = new Client(
    { name: "wheelhouse", version: options.version },
    { versionNegotiation, capabilities, inputRequired: { autoFulfill: false } },
  );
  const questions = createQuestionsInCall();
  client.setRequestHandler("elicitation/create", ({ params }) => elicitResult(questions.answer(params)));
  // Of a command's output, which ends the connection. Over HTTP the call's own error says it.
  let tooLarge = false;
  let connected = false;
  client.onclose = options.closed;
  client.onerror = (error) => {
    tooLarge ||= isTooLarge(error);
    // The rest of a broken answer cannot be had: whoever still waits on this connection waits in vain.
    if (error.message.includes("Maximum reconnection attempts")) void client.close().catch(() => {});
  };
  const explain = (error: unknown) => {
    const reason = tooLarge ? new McpError("too_large", "", error) : error;
    return explainMcp(config.name, reason, connected ? "call" : "connect");
  };
  const { transport, output } = await openTransport(config, options);
  try {
    const prior = options.isOld ? { prior: { kind: "legacy" as const } } : {};
    await client.connect(transport, { timeout: connectTimeoutMs, ...prior });
    connected = true;
    output?.stop();
    return { client, questions, explain, revision: client.getNegotiatedProtocolVersion() ?? null };
  } catch (error) {
    await client.close().catch(() => {});
    // As long as it is only asked what it speaks, the client knows nothing of it.
    await transport.close().catch(() => {});
    // Some that speak an earlier revision end at a question that they do not know: they are begun with once more, as such.
    const endedAtQuestion =
      config.via === "stdio" && !options.isOld && field(error, "code") === sdkCodes.noEra;
    if (endedAtQuestion) return await connect(config, { ...options, isOld: true });
    throw output === null ? explain(error) : notStarted(explain(error), config.name, await output.read());
  }
}

/** As the SDK's types have it, which is less read-only than an answer. */
function elicitResult(answer: QuestionAnswer) {
  if (answer.action !== "accept") return { action: answer.action };
  return {
    action: answer.action,
    ...(answer.content === undefined ? {} : { content: { ...answer.content } }),
  };
}

async function openTransport(config: McpServerConfig, options: ConnectOptions): Promise<Command> {
  if (config.via === "stdio") return await openCommand(config, options);
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: endingCalls(countingValues(withAnswerRoom(options.fetch, options.room, config.id))),
    requestInit: { headers: { ...config.headers } },
  });
  return { transport, output: null };
}

/** What became of a command that did not come as far as an answer. @param output its last lines */
function notStarted(error: McpError, name: string, output: string): McpError {
  const { failure, cause } = error;
  if (failure !== "unreachable" || answeredError(cause) !== null)
    return new McpError(failure, error.message, cause, output);
  const code = field(cause, "code");
  if (typeof code === "string" && /^E[A-Z]+$/.test(code)) {
    const why = code === "ENOENT" ? "there is no such command" : `the system says ${code}`;
    return new McpError(failure, `The MCP server ${name} cannot be started: ${why}.`, cause, output);
  }
  const silence = output === "" ? " It printed no error." : "";
  return new McpError(failure, `The MCP server ${name} stopped while starting.${silence}`, cause, output);
}

const sentences: Readonly<Partial<Record<McpFailure, string>>> = {
  unauthenticated: "requires credentials that it did not receive.",
  timeout: "did not answer in time.",
  too_large: "answered with more than 10 MB, 500,000 values or 20,000 different keys, which is too much.",
  unreachable: "cannot be reached.",
};

/** What went wrong, without the SDK's words: they may quote headers and addresses with keys in them. */
function explainMcp(name: string, error: unknown, during: "connect" | "call"): McpError {
  const said = ownError(error);
  if (said !== null) return said;
  const failure = failureOf(error);
  const broke = during === "call" && isBroken(error) && failure === "unreachable";
  const status = failure === "unreachable" ? refusalStatus(error) : null;
  const words = broke
    ? "stopped responding during the call."
    : answeredError(error) !== null
      ? "answered with an error."
      : status !== null
        ? `answered with the status ${status}.`
        : sentences[failure];
  return new McpError(failure, `The MCP server ${name} ${words ?? sentences.unreachable}`, error);
}

/** What we said ourselves in the middle of a request, wherever the SDK put it: of a sign-in that is over, for example. */
function ownError(error: unknown): McpError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof McpError && cause.message !== "") return cause;
  }
  return null;
}

function failureOf(error: unknown): McpFailure {
  if (error instanceof McpError) return error.failure;
  if (isTooLarge(error)) return "too_large";
  const status = httpStatus(error);
  if (status === 401 || status === 403) return "unauthenticated";
  if (field(error, "code") === sdkCodes.timeout) return "timeout";
  return isBroken(error) && brokenReason(error) === "too_large" ? "too_large" : "unreachable";
}

/** As the SDK has them: its module is loaded with the first connection and not before. */
const sdkCodes = {
  timeout: "REQUEST_TIMEOUT",
  closed: "CONNECTION_CLOSED",
  noEra: "ERA_NEGOTIATION_FAILED",
} as const;

/** Whether the connection went away in the middle of a call. */
function isBroken(error: unknown): boolean {
  const code = field(error, "code");
  return code === sdkCodes.closed || (code === brokenCode && brokenReason(error) !== undefined);
}

/** What `endingCalls` says of an answer that did not come. */
const brokenReason = (error: unknown) => field(field(error, "data"), "reason");

/** What a server said when it answered a request with an error of the protocol, not with a result; null: it did not. */
export function answeredError(error: unknown): { readonly code: number; readonly message: string } | null {
  const code = field(error, "code");
  if (!(error instanceof Error) || typeof code !== "number" || code > -32_000) return null;
  if (isBroken(error)) return null;
  return { code, message: error.message };
}

/** The HTTP status with which the server refused, if that is what went wrong. 404 to a known session: it is lost. */
export function statusOf(error: McpError): number | null {
  return httpStatus(error.cause);
}

/** The status of an answer that is no answer of the protocol, wherever it stands in the chain of causes; null: there was none. */
function refusalStatus(error: unknown): number | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const status = httpStatus(cause);
    if (status !== null && status >= 400) return status;
  }
  return null;
}

function httpStatus(error: unknown): number | null {
  const status = field(field(error, "data"), "status");
  return error instanceof Error && typeof field(error, "code") === "string" && typeof status === "number"
    ? status
    : null;
}

function field(value: unknown, name: "code" | "data" | "reason" | "status"): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
