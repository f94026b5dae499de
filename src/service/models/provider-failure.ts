import { readRetryAfter } from "../outgoing/retry-after.ts";
import { errorTextOf } from "./error-text.ts";
import { ModelError, type ModelFailure } from "./model-error.ts";
import type { ProviderSettings } from "./settings.ts";

const spokenCharacters = 300;

/** What is read of an error of the SDK. It is recognised by its parts: its classes differ from package to package. */
interface CallFailure {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly message?: string;
  /** A piece of an answer that the SDK could not read. */
  readonly value?: unknown;
}

/**
 * Turns whatever a provider's call threw into one sentence for a person, without the key and without stack.
 * @param beginning of an answer that it did not refuse
 */
export function explainFailure(provider: ProviderSettings, error: unknown, beginning = ""): ModelError {
  const { label, baseUrl } = provider;
  if (/^\s*</.test(beginning))
    return new ModelError("broken", `${label} answered with a web page${notTheApi}.`);
  // Some say with 200 that it is none.
  const failure = /^\s*[{[]/.test(beginning) ? insteadOfAnswer(beginning) : failureOf(error);
  if (error instanceof ModelError && failure.responseBody === undefined) return error;
  const { statusCode, responseBody = "" } = failure;
  const said = speak(provider, responseBody);
  if (statusCode === undefined && isTooLong(responseBody)) {
    return new ModelError("too_long", `${label} refused the request: ${said}`);
  }
  if (statusCode === undefined && said !== "") {
    return new ModelError("broken", `${label} broke off its answer: ${said}`);
  }
  if (statusCode === undefined || statusCode < 400) {
    return statusCode === undefined && !isUnreadable(error)
      ? new ModelError("unavailable", `${label} cannot be reached at ${new URL(baseUrl).host}.`)
      : new ModelError("broken", `The answer of ${label} was cut short or could not be read.`);
  }
  const words = `${label} answered ${statusCode}${meaning(failure)}${said === "" ? "." : `: ${said}`}`;
  const message = isTooManyTools(said) ? `${words} ${fewerTools}` : words;
  const kind = isTooLong(responseBody) && statusCode < 500 ? "too_long" : kindOf(failure);
  return new ModelError(kind, message, retryAfter(failure.responseHeaders ?? {}));
}

const noSuchModel = " (it does not know this model)";
const notTheApi = " (the address that the operator set is not that of its API)";

/** What the SDK threw: its own error, or what the server sent in place of a piece of its answer. */
function failureOf(error: unknown): CallFailure {
  if (typeof error === "string") return { responseBody: JSON.stringify({ error }) };
  if (typeof error !== "object" || error === null) return {};
  const failure: CallFailure = error;
  const sent = error instanceof Error ? failure.value : error;
  return sent === undefined ? failure : { ...failure, responseBody: JSON.stringify(sent) };
}

/** What came in place of an answer: its error, with the status that stands in it. */
function insteadOfAnswer(body: string): CallFailure {
  if (errorTextOf(body) === "") return {};
  const [, code] = /"code"\s*:\s*"?([45]\d\d)\b/.exec(body) ?? [];
  return { responseBody: body, ...(code === undefined ? {} : { statusCode: Number(code) }) };
}

/**
 * What a server that only speaks the protocol may want otherwise than most: `reasoning` what was thought before answers that
 * it is told, `completion_tokens` the limit of an answer by its newer name, `plain_schemas` no more of JSON Schema than Gemini
 * reads, `tools` some tools with calls of earlier turns. Others refuse the first two.
 */
export type Want = "reasoning" | "completion_tokens" | "plain_schemas" | "tools";

const wants: readonly (readonly [want: Want, words: RegExp])[] = [
  ["reasoning", /reasoning_content/],
  ["completion_tokens", /max_completion_tokens/],
  // Gemini's own word, also of what others hand on to it.
  ["plain_schemas", /function_?declarations?\b/i],
  // Anthropic's models behind LiteLLM, and those of Bedrock.
  ["tools", /without `tools=`|toolConfig field must be defined|must define tools/],
];

/** What a server misses in a request that it refuses. */
export function wantOf(error: unknown): Want | null {
  const { statusCode = 0, responseBody = "" } = failureOf(error);
  const start = responseBody.slice(0, 10_000);
  return statusCode < 400 ? null : (wants.find(([, words]) => words.test(start))?.[0] ?? null);
}

/** JSON that broke off or does not fit is told apart from a connection that failed. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error && /JSON|TypeValidation|InvalidResponse|NoOutput|EmptyResponse/.test(error.name)
  );
}

/**
 * How providers and servers say that a request is longer than what the model reads, or than what they let pass at once. No
 * status says it: most answer 400, some 413, one 429.
 */
const tooLong = [
  /context_length_exceeded|exceed_context_size|request_too_large/,
  /maximum context length|context (?:length|window|size|limit)/,
  /(?:prompt|input) is too long|prompt too long/,
  /input token count .{0,40}exceeds/,
  /reduce the length of the (?:messages|prompt|input)/,
  /tokens must be reduced/,
  /`inputs` tokens \+ `max_new_tokens` must be/,
];

function isTooLong(words: string): boolean {
  const start = words.slice(0, 10_000).toLowerCase();
  return tooLong.some((pattern) => pattern.test(start));
}

/** How providers say that there are more tools than they take at once: 128, most of them. */
const isTooManyTools = (said: string) =>
  /\btools\W{1,4}(?:array too long|maximum number of items)|(?:too many|more than \d+|at most \d+) (?:tools|functions)\b/i.test(
    said,
  );
const fewerTools = "The agent has too many tools for this model: let it use fewer in its settings.";

/** What is used up does not come back by waiting a little; OpenAI says it with the status of what does. */
const isUsedUp = ({ responseBody = "" }: CallFailure) => responseBody.includes('"insufficient_quota"');

function kindOf(failure: CallFailure): ModelFailure {
  const { statusCode: status = 0 } = failure;
  if (status === 429) return isUsedUp(failure) ? "refused" : "busy";
  return status === 408 || status === 409 || status >= 500 ? "unavailable" : "refused";
}

function meaning(failure: CallFailure): string {
  const { statusCode: status, responseBody = "" } = failure;
  if (status === 401 || status === 403) return " (the key that the operator set is not accepted)";
  // An API that does not know a model says so; what knows no API at all answers with a page, or says nothing.
  if (status === 404) return /^[^<]*(?:"error"|model)/i.test(responseBody) ? noSuchModel : notTheApi;
  if (status !== 429) return "";
  return isUsedUp(failure) ? " (its quota is used up)" : " (too many requests)";
}

/** The provider's own sentence: short, and without anything secret. */
function speak({ key }: ProviderSettings, body: string): string {
  let sentence = errorTextOf(body);
  if (key !== null && key.length >= 8) sentence = sentence.replaceAll(key, "[key]");
  // Providers quote parts of a key that they refuse.
  sentence = sentence.replaceAll(/\b(sk|pk|key)-[\w*.-]{6,}/g, "[key]").replaceAll(/\s+/g, " ");
  return sentence.length > spokenCharacters ? `${sentence.slice(0, spokenCharacters)}…` : sentence;
}

/** @returns milliseconds; null without a header that can be read */
function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  return Number.isFinite(exact) && exact >= 0 ? exact : readRetryAfter(headers);
}
