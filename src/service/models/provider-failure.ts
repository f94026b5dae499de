import { readRetryAfter } from "../outgoing/retry-after.ts";
import { ModelError, type ModelFailure } from "./model-error.ts";
import type { ProviderSettings } from "./settings.ts";

const spokenCharacters = 300;

/** What is read of an error of the SDK. It is recognised by its parts: its classes differ from package to package. */
interface CallFailure {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly message?: string;
}

/** Turns whatever a provider's call threw into one sentence for a person, without the key and without stack. */
export function explainFailure(provider: ProviderSettings, error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const failure: CallFailure = typeof error === "object" && error !== null ? error : {};
  const { statusCode } = failure;
  // Some servers say it in the middle of an answer that has begun, without a status of its own.
  const said = speak(provider, failure.responseBody ?? JSON.stringify({ message: failure.message ?? "" }));
  if (statusCode === undefined && isTooLong(failure.message ?? "")) {
    return new ModelError("too_long", `${provider.label} refused the request: ${said}`);
  }
  // What is thrown for it is no error of the network, but what the server sent.
  if (statusCode === undefined && said !== "" && !(error instanceof Error)) {
    return new ModelError("broken", `${provider.label} broke off its answer: ${said}`);
  }
  if (statusCode === undefined || statusCode < 400) {
    return statusCode === undefined && !isUnreadable(error)
      ? new ModelError(
          "unavailable",
          `${provider.label} cannot be reached at ${new URL(provider.baseUrl).host}.`,
        )
      : new ModelError("broken", `The answer of ${provider.label} was cut short or could not be read.`);
  }
  const message = `${provider.label} answered ${statusCode}${meaning(statusCode)}${said === "" ? "." : `: ${said}`}`;
  const kind = isTooLong(failure.responseBody ?? "") && statusCode < 500 ? "too_long" : kindOf(statusCode);
  return new ModelError(kind, message, retryAfter(failure.responseHeaders ?? {}));
}

/** Whether a server misses what was thought before answers that it was told. */
export function asksForReasoning(error: unknown): boolean {
  const { statusCode = 0, responseBody = "" }: CallFailure =
    typeof error === "object" && error !== null ? error : {};
  return statusCode >= 400 && /reasoning_content/.test(responseBody.slice(0, 10_000));
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

function kindOf(status: number): ModelFailure {
  if (status === 429) return "busy";
  return status === 408 || status === 409 || status >= 500 ? "unavailable" : "refused";
}

function meaning(status: number): string {
  if (status === 401 || status === 403) return " (the key that the operator set is not accepted)";
  if (status === 404) return " (it does not know this model)";
  return status === 429 ? " (too many requests)" : "";
}

/** The provider's own sentence: only the field where every protocol has one, short, and without anything secret. */
function speak(provider: ProviderSettings, body: string): string {
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/.exec(body.slice(0, 10_000)) ?? [];
  if (quoted === undefined) return "";
  let sentence: string;
  try {
    sentence = String(JSON.parse(quoted));
  } catch {
    return "";
  }
  const { key } = provider;
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
