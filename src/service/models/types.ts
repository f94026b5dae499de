import type { JsonObject, JsonValue } from "../json.ts";
import type { Requester } from "../limiter.ts";
import type { TraceHeaders } from "../traceparent.ts";

/** A tool as a model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  /** The name that people see, of any characters: a provider is told one that it takes, and its calls come back as this. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** One call that a model asks for. `id` is the model's own and unique within the turn only by its good will. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  /** Set when the model's arguments were no JSON object: the call is answered with this sentence and never made. */
  readonly invalid?: string | undefined;
  /** What the provider wants back with it, unchanged, for as long as the turn goes on. */
  readonly signature?: string | undefined;
}

/** A thought that the provider wants back, unchanged, for as long as the turn goes on. */
export interface SignedThought {
  readonly text: string;
  readonly signature?: string | undefined;
  /** In place of a text that is kept from us. */
  readonly redacted?: string | undefined;
  /** How many characters of the answer's text came before it. */
  readonly textBefore: number;
}

export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly failed: boolean;
  /** What the tool said, already capped in size. Data, never instructions of ours. */
  readonly result: JsonValue;
}

/** A conversation in a shape that belongs to no provider. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** Told to those alone who ask for it: others refuse it. */
      readonly reasoning?: string | null | undefined;
      readonly thoughts?: readonly SignedThought[] | undefined;
    }
  | { readonly role: "tool"; readonly answers: readonly ToolAnswer[] };

export interface ModelRequest {
  /** `<provider>/<model>`; the first slash divides. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly temperature: number | null;
  /** The most tokens of the answer; null: the model's own limit. */
  readonly maxTokens: number | null;
  /** Asks for an answer that is JSON of this schema; a provider may still answer anything, so the caller checks it. */
  readonly output?: JsonObject | undefined;
  /** `execution:step`, sent along so that a provider that can may recognise a repeated call. */
  readonly idempotencyKey: string;
  /** Sent along, where somebody traces the call. */
  readonly trace?: TraceHeaders | undefined;
  readonly signal: AbortSignal;
  /** In whose name it waits for a place of the provider's; its own signal means nothing here. Missing: nobody's. */
  readonly requester?: Requester | undefined;
}

export interface ModelUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string | null;
  /** Of that, what has to come back as it was. */
  readonly thoughts?: readonly SignedThought[] | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** `length`: the model ran into its own limit; `filtered`: its provider held the answer back. */
  readonly finish: "stop" | "tools" | "length" | "filtered";
  readonly usage: ModelUsage;
}

/** One entry of `GET /models`. */
interface ModelOption {
  readonly value: string;
  readonly label: string;
  readonly restricted: boolean;
}

export interface ModelGroup {
  readonly label: string;
  readonly options: readonly ModelOption[];
}
