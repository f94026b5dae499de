import { anySignal } from "../any-signal.ts";
import type { ByteRoom } from "../byte-room.ts";
import { holdLine, withRoom } from "../outgoing/held-lines.ts";
import type { Bearer } from "./bearer.ts";

type Fetch = typeof globalThis.fetch;

/** The same with answers of the class that Node itself has: the SDK reads refusals of a sign-in only from those. */
export function withOwnResponses(fetch: Fetch): Fetch {
  return async (input, init) => {
    const { body, status, statusText, headers } = await fetch(input, init);
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : body, { status, statusText, headers: [...headers] });
  };
}

/**
 * The fetch of one signed-in connection: sends its access token, and once more with a renewed one where the server refuses
 * it. No other credential ever goes along (S-49).
 * @param lacks told that the server refuses a call for want of scopes, and of which; gives what that is as an error
 */
export function withBearer(
  fetch: Fetch,
  bearer: Bearer,
  lacks: (scope: string | null) => Promise<Error>,
): Fetch {
  return async (input, init) => {
    const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
    const send = (token: string) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    };
    const token = await bearer.current();
    const response = await send(token);
    if (response.status === 403) {
      const { error, scope } = extractWWWAuthenticateParams(response);
      if (error === "insufficient_scope") throw await lacks(isScope(scope) ? scope : null);
    }
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return await send(await bearer.another(token));
  };
}

/** What a server may name as lacking, in characters. */
const maxScope = 1_000;

/** Whether it is a list of scopes as RFC 6749 (3.3) writes it, and one that can be kept. */
const isScope = (scope: string | undefined): scope is string =>
  scope !== undefined &&
  scope.length <= maxScope &&
  /^[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*$/.test(scope);

/** The same fetch, of whose answers no more is held at once than there is room for. @param who shares it with the others */
export function withAnswerRoom(fetch: Fetch, room: ByteRoom, who: string): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const body = withRoom(response.body, holdLine(room, who), isStream(headers));
    return new Response(body, { status, statusText, headers });
  };
}

/** Whether an answer is a stream of events. */
export const isStream = (headers: Headers): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** Each request on its own ends after this many milliseconds. For requests that are answered at once. */
export function withTimeout(fetch: Fetch, milliseconds: number, signal?: AbortSignal): Fetch {
  return (input, init) => {
    const given = [signal, init?.signal].filter((one) => one != null);
    return fetch(input, { ...init, signal: anySignal([AbortSignal.timeout(milliseconds), ...given]) });
  };
}

/** What ends a call whose answer will not come. `data.reason` is an `McpFailure`. */
export const brokenCode = -32_000;

/**
 * A server that dies in the middle of a call ends its stream without an answer, and the SDK would wait until the time is
 * over. This adds an answer of our own to the end of such a stream: behind a real answer it means nothing. A stream that
 * can be resumed (it named its events) is left alone: the SDK asks for the rest.
 */
export function endingCalls(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const id = init?.method === "POST" ? requestId(init.body) : null;
    if (id === null || !isStream(response.headers) || !response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(withEnd(response.body, id), { status, statusText, headers });
  };
}

function requestId(body: unknown): string | number | null {
  if (typeof body !== "string") return null;
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message))
    return null;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function withEnd(body: ReadableStream<Uint8Array>, id: string | number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let resumable = false;
  let tail = "\n";
  const end = (reason: string) => {
    const error = { code: brokenCode, message: "The connection broke", data: { reason } };
    const text = `\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`;
    return new TextEncoder().encode(text);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          // Event ids stand at the beginning of a line; one may be cut by the end of a chunk.
          const text = tail + decoder.decode(value, { stream: true });
          resumable ||= /[\r\n]id:/.test(text);
          tail = text.slice(-3);
          controller.enqueue(value);
          return;
        }
        if (!resumable) controller.enqueue(end("unreachable"));
        controller.close();
      } catch (error) {
        if (resumable) return controller.error(error);
        controller.enqueue(end(isTooLarge(error) ? "too_large" : "unreachable"));
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The guarded fetch's own refusal, wherever it stands in the chain of causes. */
export function isTooLarge(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("kind" in cause && cause.kind === "too_large") return true;
  }
  return false;
}
