import { readError } from "../../contract/read-error.ts";
import { ConsoleError, type Failure, type Impostor } from "./errors.ts";
import type { PlainRequest } from "./request.ts";
import { sanitizeJson } from "./sanitize-json.ts";

/** What every answer carries beside its body. Times are milliseconds since 1970. */
export interface Envelope {
  readonly status: number;
  readonly etag: string | null;
  readonly requestId: string | null;
  readonly receivedAt: number;
  /** From the `Date` header. */
  readonly serverDate: number | null;
}

export interface ExchangeOptions {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  /** For the whole answer. */
  readonly timeoutMs: number;
  /** For its head, where that is less. */
  readonly headTimeoutMs?: number | undefined;
  readonly withCookies?: boolean | undefined;
}

/** A response with its envelope, before the body is read; `stop` ends the time limit. */
export interface Opened {
  readonly response: Response;
  readonly envelope: Envelope;
  readonly stop: () => void;
  /** Turns what reading the body threw into the right failure. */
  readonly failed: (error: unknown) => unknown;
}

/**
 * Sends one request and waits for the head of the answer. Redirects are not followed: the key must not go elsewhere.
 * @throws ConsoleError `network`, `timeout`, `http` or `not-the-service`; the signal's own reason when aborted
 */
export async function open(name: string, request: PlainRequest, options: ExchangeOptions): Promise<Opened> {
  const { signal, timeoutMs, headTimeoutMs = timeoutMs, now } = options;
  signal?.throwIfAborted();
  const limit = new AbortController();
  let lateAfter: number | null = null;
  const after = (ms: number) =>
    setTimeout(() => {
      lateAfter = ms;
      limit.abort();
    }, ms);
  const timer = after(timeoutMs);
  const headTimer = after(headTimeoutMs);
  const onAbort = () => limit.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const stop = () => {
    clearTimeout(timer);
    clearTimeout(headTimer);
    signal?.removeEventListener("abort", onAbort);
  };
  const broken = (error: unknown, failure: Failure): unknown => {
    if (signal?.aborted) return signal.reason;
    return new ConsoleError(
      lateAfter === null ? failure : { kind: "timeout", afterMs: lateAfter },
      name,
      error,
    );
  };
  let response: Response;
  try {
    response = await options.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
      signal: limit.signal,
      cache: "no-store",
      credentials: options.withCookies ? "same-origin" : "omit",
      redirect: "manual",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    stop();
    throw broken(error, { kind: "network" });
  }
  clearTimeout(headTimer);
  const date = Date.parse(response.headers.get("date") ?? "");
  const envelope: Envelope = {
    status: response.status,
    etag: response.headers.get("etag"),
    requestId: response.headers.get("x-request-id"),
    receivedAt: now(),
    serverDate: Number.isNaN(date) ? null : date,
  };
  const failed = (error: unknown) => broken(error, impostor("cut-off", response, envelope, now()));
  try {
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 304)) {
      throw new ConsoleError(impostor("redirect", response, envelope, now()), name);
    }
    if (response.status >= 400) throw await refusal(name, response, envelope, now(), failed);
  } catch (error) {
    stop();
    throw error;
  }
  return { response, envelope, stop, failed };
}

/**
 * The JSON of a successful answer.
 * @throws ConsoleError `not-the-service` for a page, an empty, cut-off or unparseable body (C-13)
 */
export function parseJson(
  name: string,
  text: string,
  opened: Pick<Opened, "response" | "envelope">,
): unknown {
  const { response, envelope } = opened;
  try {
    return sanitizeJson(JSON.parse(text), text);
  } catch (error) {
    throw new ConsoleError(
      impostor(kindOfText(text, response), response, envelope, envelope.receivedAt),
      name,
      error,
    );
  }
}

async function refusal(
  name: string,
  response: Response,
  envelope: Envelope,
  now: number,
  failed: (error: unknown) => unknown,
): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    return failed(error);
  }
  let json: unknown = null;
  let plain: string | null = null;
  if (text.trim() !== "") {
    try {
      json = JSON.parse(text);
    } catch {
      const kind = kindOfText(text, response);
      if (kind === "html") return new ConsoleError(impostor(kind, response, envelope, now), name);
      plain = plainSentence(text, response);
    }
  }
  const { code, message, param, details, fromService } = readError(envelope.status, json);
  return new ConsoleError(
    {
      kind: "http",
      status: envelope.status,
      code: fromService ? code : null,
      message: fromService ? message : plain,
      param,
      details,
      requestId: envelope.requestId,
      retryAfterMs: retryAfterOf(response, now),
    },
    name,
  );
}

/** What a service without an error body of its own says in a line of text: "upstream is not there". */
function plainSentence(text: string, response: Response): string | null {
  const line = text.trim();
  const isPlain = response.headers.get("content-type")?.startsWith("text/plain") === true;
  return isPlain && line.length <= 300 && !/[\n\r]/.test(line) ? line : null;
}

function impostor(kind: Impostor, response: Response, envelope: Envelope, now: number): Failure {
  return {
    kind: "not-the-service",
    impostor: kind,
    status: envelope.status,
    requestId: envelope.requestId,
    retryAfterMs: response.status >= 400 ? retryAfterOf(response, now) : null,
  };
}

function retryAfterOf(response: Response, now: number): number | null {
  return readRetryAfter(response.headers.get("retry-after"), response.headers.get("date"), now);
}

function kindOfText(text: string, response: Response): Impostor {
  const start = text.trimStart().slice(0, 1);
  if (start === "") return "empty";
  if (start === "<" || response.headers.get("content-type")?.includes("html")) return "html";
  return start === "{" || start === "[" ? "cut-off" : "not-json";
}

const shortest = 1_000;
const longest = 600_000;

/**
 * How long a service asks to wait, from its `Retry-After` (seconds or HTTP-date; C-24).
 * @param date the answer's `Date` header, so that a wrong clock here does not matter; null: this clock is used
 * @param now milliseconds since 1970
 * @returns milliseconds within 1 s … 10 min; null where the header is absent or not readable
 */
function readRetryAfter(header: string | null, date: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const text = header.trim();
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return clamp(seconds * 1_000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const serverNow = date === null ? Number.NaN : Date.parse(date);
  return clamp(until - (Number.isNaN(serverNow) ? now : serverNow));
}

function clamp(ms: number): number {
  return Math.min(longest, Math.max(shortest, ms));
}
