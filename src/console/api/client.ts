import type * as z from "zod/mini";
import type { Call, Endpoint, Output, Received } from "../../contract/define.ts";
import { brokenIn, isHollow } from "./broken-values.ts";
import type { Caller } from "./connection.ts";
import { ConsoleError, isCredentialError, isRetryable } from "./errors.ts";
import { type Envelope, open, parseJson } from "./exchange.ts";
import type { Damage } from "./receive.ts";
import { buildRequest, type Credential, isFile, type RequestOptions } from "./request.ts";
import type { Outcome } from "./traffic.ts";

/** What an endpoint's answer holds: JSON as it may really come, a file, or nothing. */
export type DataOf<E extends Endpoint> = E["response"] extends "zip" | "jsonl"
  ? Blob
  : E["response"] extends "none"
    ? undefined
    : Received<Output<E>>;

/** One answer of the service. The damage lists what was unreadable in it. */
export interface Answer<E extends Endpoint> extends Omit<Envelope, "status"> {
  readonly data: DataOf<E>;
  readonly damage: readonly Damage[];
  /** Whatever is equal to the answer before it is the same object already. */
  readonly isShared?: true;
  /** Milliseconds from sending to having read it. */
  readonly tookMs: number;
}

export interface CallOptions<E extends Endpoint> extends Omit<RequestOptions, "ifNoneMatch"> {
  readonly signal?: AbortSignal | undefined;
  /** The answer that is there already: asked with its ETag, and returned itself when nothing changed (304). */
  readonly previous?: Answer<E> | undefined;
  /** Takes the cookie that the answer sets: a sign-in elsewhere is tied to this browser by it. */
  readonly withCookies?: boolean | undefined;
  /** 30 s by default, 10 minutes for files. */
  readonly timeoutMs?: number | undefined;
}

/** Longer texts are not read on the page's own thread, where the endpoint allows it (C-09). */
const ordinary = 500_000;
const defaultTimeoutMs = 30_000;
const fileTimeoutMs = 600_000;

/**
 * The one way to call the service: builds the request, waits for its turn, sends it, reads the answer tolerantly.
 * A refused credential asks the person to sign in again and then sends the call once more: a 401 did nothing.
 * @throws ConsoleError of every kind; the signal's reason when aborted
 */
export function call<E extends Endpoint>(
  api: Caller,
  endpoint: E,
  input: Call<E>,
  options: CallOptions<E> = {},
): Promise<Answer<E>> {
  return send(api, endpoint, options, async (credential) => {
    const { previous } = options;
    const sentAt = api.clock.now();
    const ifNoneMatch = previous?.etag ?? undefined;
    const request = buildRequest({ base: api.base, credential }, endpoint, input, {
      ...options,
      ifNoneMatch,
    });
    const answer = (await exchange(api, endpoint, request, options, sentAt)) ?? previous;
    if (answer) return answer;
    throw new ConsoleError({ kind: "contract", path: "", requestId: null }, endpoint.name);
  });
}

/**
 * What surrounds every request, whoever carries it out (`call` here, the run reader in its worker): the credential,
 * the turn, what the outcome says of the service, and the new sign-in after a refused credential.
 */
export async function send<T>(
  api: Caller,
  endpoint: Endpoint,
  {
    signal,
    poll = false,
  }: { readonly signal?: AbortSignal | undefined; readonly poll?: boolean | undefined },
  work: (credential: Credential | null) => Promise<T>,
): Promise<T> {
  for (;;) {
    const leave = await api.traffic.enter(poll, signal);
    let outcome: Outcome | undefined;
    let credential: Credential | null = null;
    try {
      credential = endpoint.auth === "none" ? null : await api.gate.ready(signal);
      await api.begin?.();
      api.traffic.sent(leave);
      const answer = await work(credential);
      outcome = { failed: false, retryAfterMs: null };
      api.capabilities.observe(endpoint, null);
      return answer;
    } catch (error) {
      outcome = outcomeOf(error);
      api.capabilities.observe(endpoint, error);
      if (endpoint.auth === "none" || !isCredentialError(error)) throw error;
      leave(outcome);
      await api.gate.refused(error, credential, signal);
    } finally {
      leave(outcome);
    }
  }
}

/** @returns null for 304 */
async function exchange<E extends Endpoint>(
  api: Caller,
  endpoint: E,
  request: ReturnType<typeof buildRequest>,
  { signal, timeoutMs, withCookies }: CallOptions<E>,
  sentAt: number,
): Promise<Answer<E> | null> {
  const opened = await open(endpoint.name, request, {
    fetch: api.fetch,
    now: api.clock.now,
    signal,
    withCookies,
    timeoutMs: timeoutMs ?? (isFile(endpoint.response) ? fileTimeoutMs : defaultTimeoutMs),
  });
  const { response, envelope, stop, failed } = opened;
  api.serverClock.observe(envelope.serverDate, envelope.receivedAt);
  const { status: _, ...rest } = envelope;
  const answer = (
    data: unknown,
    read: Pick<Answer<E>, "damage" | "isShared"> = { damage: [] },
  ): Answer<E> => ({
    ...rest,
    ...read,
    data: data as DataOf<E>,
    tookMs: api.clock.now() - sentAt,
  });
  try {
    if (response.status === 304) return null;
    const shape = endpoint.response;
    if (shape === "none") {
      await response.body?.cancel();
      return answer(undefined);
    }
    if (isFile(shape)) return answer(await response.blob().catch(rethrow(failed)));
    const text = await response.text().catch(rethrow(failed));
    const receipt =
      (text.length > ordinary && (await api.readBig?.(endpoint.name, request.url, text, signal))) ||
      (await read(shape, parseJson(endpoint.name, text, opened)));
    // A write has happened, whatever is said of it.
    if (receipt.data === undefined || (endpoint.kind === "read" && isHollow(shape, receipt.data))) {
      throw new ConsoleError({ kind: "contract", path: "", requestId: rest.requestId }, endpoint.name);
    }
    return answer(receipt.data, receipt);
  } finally {
    stop();
  }
}

/** What takes out what is broken comes with the first answer that is; without it nothing of such an answer is usable. */
async function read(shape: z.ZodMiniType, json: unknown) {
  if (brokenIn(shape, json).length === 0) return { data: json, damage: [] };
  const code = await import("./receive.ts").catch(() => null);
  return code?.receive(shape, json) ?? { data: undefined, damage: [] };
}

function rethrow(failed: (error: unknown) => unknown) {
  return (error: unknown): never => {
    throw failed(error);
  };
}

/** What an error says about the service; undefined where it was given up here. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof ConsoleError)) return undefined;
  return { failed: isRetryable(error) && error.retryAfterMs === null, retryAfterMs: error.retryAfterMs };
}
