import type { LanguageModel, ToolSet } from "ai";
import { anySignal } from "../any-signal.ts";
import type { ByteRoom } from "../byte-room.ts";
import { isJsonObject, type JsonValue, soundJson } from "../json.ts";
import { holdLine } from "../outgoing/held-lines.ts";
import { watchSize } from "./answer-size.ts";
import { unpacked } from "./call-arguments.ts";
import { type CallIds, callIdsOf, withOwnCallIds } from "./call-ids.ts";
import { isMistral, withAnswers } from "./mistral.ts";
import { ModelError, withoutEnd } from "./model-error.ts";
import { explainFailure, type Want, wantOf } from "./provider-failure.ts";
import { collectReasoning, metadataText } from "./reasoning.ts";
import { listen, type SilenceLimits } from "./response-listener.ts";
import { toSdkMessage } from "./sdk-messages.ts";
import type { ProviderSettings } from "./settings.ts";
import { divideThought } from "./thinking-tags.ts";
import { providerToolName } from "./tool-names.ts";
import { toldTool } from "./tool-schemas.ts";
import type { ModelAnswer, ModelRequest, ToolCall } from "./types.ts";

export type Fetch = typeof globalThis.fetch;

export interface CallLimits {
  readonly fetch: Fetch;
  readonly silenceLimits: SilenceLimits;
  /** For what is long of answers while it comes. */
  readonly room: ByteRoom;
  /** What servers have missed in requests to their models, by the model; grows. */
  readonly wants: Map<string, ReadonlySet<Want>>;
}

/**
 * One streamed call to a connected provider. Streaming is for the watch on silence; the answer is handed over whole.
 * @param model the provider's own name of the model
 * @throws ModelError, or the signal's reason when it was aborted
 */
export async function askProvider(
  provider: ProviderSettings,
  model: string,
  request: ModelRequest,
  limits: CallLimits,
): Promise<ModelAnswer> {
  const line = holdLine(limits.room, request.requester?.share[0] ?? "");
  const listener = listen(limits.fetch, limits.silenceLimits, line);
  const signal = anySignal([request.signal, listener.silence]);
  const known = limits.wants.get(request.model) ?? new Set();
  try {
    const connected = await connect(provider, model, listener.fetch, known);
    const telling = { kind: provider.kind, callIds: callIdsOf(provider, model), known };
    const messages = isMistral(provider, model) ? withAnswers(request.messages) : request.messages;
    return await readAnswer(connected, telling, { ...request, messages }, signal);
  } catch (error) {
    request.signal.throwIfAborted();
    // Some refuse requests without it and some refuse it, and no name of a model tells which.
    const want = provider.kind === "compatible" ? wantOf(error) : null;
    if (want !== null && !known.has(want)) {
      limits.wants.set(request.model, new Set([...(limits.wants.get(request.model) ?? []), want]));
      return await askProvider(provider, model, request, limits);
    }
    if (listener.silence.aborted) {
      const seconds = Math.round(Number(listener.silence.reason) / 1000);
      throw new ModelError("silent", `${provider.label} sent nothing for ${seconds} seconds.`);
    }
    // The SDK makes an error of its own of it.
    if (listener.isEndless()) throw withoutEnd();
    throw explainFailure(provider, error, listener.beginning());
  } finally {
    listener.end();
  }
}

/** The SDK's packages are big: they load with the first call, not with the service. */
async function connect(
  provider: ProviderSettings,
  model: string,
  fetch: Fetch,
  known: ReadonlySet<Want>,
): Promise<LanguageModel> {
  const settings = { baseURL: provider.baseUrl, fetch };
  switch (provider.kind) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...settings, apiKey: provider.key ?? "" }).chat(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...settings, apiKey: provider.key ?? "" })(model);
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = provider.key === null ? {} : { apiKey: provider.key };
      const about = { name: provider.name, includeUsage: true, supportsStructuredOutputs: true };
      const renames = known.has("completion_tokens") ? { transformRequestBody: withCompletionTokens } : {};
      return createOpenAICompatible({ ...settings, ...key, ...about, ...renames })(model);
    }
  }
}

const withCompletionTokens = ({ max_tokens, ...body }: Readonly<Record<string, unknown>>) => ({
  ...body,
  max_completion_tokens: max_tokens,
});

/** How one model is told what it is told. */
interface Telling {
  readonly kind: ProviderSettings["kind"];
  readonly callIds: CallIds;
  readonly known: ReadonlySet<Want>;
}

async function readAnswer(
  model: LanguageModel,
  { kind, callIds, known }: Telling,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { jsonSchema, Output, streamText } = await import("ai");
  const { tools: given, messages } = inSoundTexts({ tools: request.tools, messages: request.messages });
  const needsTools = kind === "anthropic" || known.has("tools");
  const tools: ToolSet = {};
  /** The tools by the names under which the provider knows them. */
  const names = new Map<string, string>();
  for (const { name, description, parameters } of given) {
    const told = providerToolName(name);
    names.set(told, name);
    const tool = toldTool({ description, parameters }, kind, known.has("plain_schemas"));
    tools[told] = { description: tool.description, inputSchema: jsonSchema({ ...tool.parameters }) };
  }
  if (given.length === 0 && needsTools) {
    for (const name of calledIn(messages))
      tools[providerToolName(name)] = { description: goneTool, inputSchema: jsonSchema(noParameters) };
  }
  const stream = streamText({
    model,
    tools,
    messages: withOwnCallIds(messages, callIds).flatMap((message) =>
      toSdkMessage(message, known.has("reasoning")),
    ),
    ...(request.system === "" ? {} : { system: request.system }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
    ...(request.output === undefined
      ? {}
      : { output: Output.object({ schema: jsonSchema({ ...request.output }) }) }),
    // A request that says what one before it did not has a key of its own.
    headers: {
      ...request.trace,
      "idempotency-key": [request.idempotencyKey, ...known].join("-"),
    },
    // The turn tries again by itself, in a wait that it records and that holds no slot.
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {},
  });
  const text: string[] = [];
  const reasoning: string[] = [];
  const thoughts = collectReasoning();
  const toolCalls: ToolCall[] = [];
  let textLength = 0;
  const watch = watchSize();
  for await (const part of stream.fullStream) {
    watch(part);
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new DOMException("aborted", "AbortError");
    if (part.type === "text-delta") {
      text.push(part.text);
      textLength += part.text.length;
    }
    if (part.type === "reasoning-start") thoughts.add(part.id, "", part.providerMetadata, textLength);
    if (part.type === "reasoning-delta") {
      reasoning.push(part.text);
      thoughts.add(part.id, part.text, part.providerMetadata, textLength);
    }
    if (part.type === "tool-call") {
      const signature = metadataText(part.providerMetadata, "thoughtSignature");
      const args = part.invalid ? part.input : unpacked(part.input);
      const call = readCall(part.toolCallId, part.toolName, args, names);
      toolCalls.push(signature === undefined ? call : { ...call, signature });
    }
    if (part.type === "finish") {
      // Every protocol says why an answer ended. One that just stops was cut on its way.
      if (part.rawFinishReason === undefined)
        throw new ModelError("broken", "The model's answer was cut short.");
      if (part.finishReason === "error" || brokenOff.test(part.rawFinishReason))
        throw new ModelError("broken", "The model stopped in the middle of its answer.");
      const signed = thoughts.signed();
      const said = text.join("");
      const { text: answer, thought } =
        kind === "anthropic"
          ? { text: said, thought: "" }
          : divideThought(said, part.finishReason === "length");
      return {
        text: answer,
        reasoning: reasoning.join("") + thought || null,
        ...(signed.length === 0 ? {} : { thoughts: signed }),
        toolCalls: part.finishReason === "length" ? toolCalls.map(cutOff) : toolCalls,
        finish: finishOf(part.finishReason, toolCalls.length),
        // None at all is what the SDK makes of counts that a server leaves open.
        usage: {
          input_tokens: part.totalUsage.inputTokens || null,
          output_tokens: part.totalUsage.outputTokens || null,
        },
      };
    }
  }
  throw new ModelError("broken", "The model's answer was cut short.");
}

/** What is told of a tool that an agent had in earlier turns, where it has none any more and its provider wants to hear of some. */
const goneTool = "Cannot be called any more.";
const noParameters = { type: "object", properties: {} } as const;

function calledIn(messages: ModelRequest["messages"]): Set<string> {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return new Set(calls.map(({ name }) => name));
}

/** The same in sound texts: a request with half of a surrogate pair is refused as no JSON. */
function inSoundTexts<T>(value: T): T {
  const text = JSON.stringify(value);
  const sound = soundJson(text);
  if (sound === text) return value;
  const read: T = JSON.parse(sound);
  return read;
}

/** Reasons that servers give for an answer which is none of the model's own end: DeepSeek, Z.ai, OpenRouter, vLLM. */
const brokenOff = /^(?:insufficient_system_resource|network_error|error|abort)$/;

function finishOf(reason: string, calls: number): ModelAnswer["finish"] {
  if (calls > 0) return "tools";
  if (reason === "length") return "length";
  return reason === "content-filter" ? "filtered" : "stop";
}

function readCall(id: string, told: string, given: unknown, names: ReadonlyMap<string, string>): ToolCall {
  // So some models write that there are none.
  const input = given === null ? {} : given;
  const name = names.get(told);
  if (name === undefined) {
    return { id, name: told, args: asArgs(input), invalid: `There is no tool ${told}.` };
  }
  if (!isJsonObject(input)) {
    return { id, name, args: asArgs(input), invalid: "The arguments are no JSON object." };
  }
  return { id, name, args: input };
}

/** A call whose arguments the limit cut: made smaller, it may come through. */
function cutOff(call: ToolCall): ToolCall {
  if (call.invalid === undefined) return call;
  const why = "The answer was cut at the model's limit of tokens: write less at once.";
  return { ...call, invalid: `${call.invalid} ${why}` };
}

function asArgs(input: unknown): JsonValue {
  return isJsonObject(input) ? input : { unreadable: String(input).slice(0, 1000) };
}
