import type * as OpenId from "openid-client";
import { anySignal } from "../any-signal.ts";
import { readAtMost } from "../outgoing/read-at-most.ts";
import { ProviderError } from "./provider-error.ts";

const maxBytes = 1_000_000;

/**
 * The guarded fetch for a provider: it leads nowhere else, and its answers are small. The answer is of the class that Node
 * itself has, which the client looks for.
 */
export function cautious(fetch: typeof globalThis.fetch, deadline: AbortSignal): OpenId.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    // The client sends forms; nothing else has a body.
    const sent = body instanceof URLSearchParams || typeof body === "string" ? body.toString() : null;
    const response = await fetch(url, {
      ...{ method, headers, redirect: "manual" },
      ...(sent !== null && { body: sent }),
      signal: signal ? anySignal([signal, deadline]) : deadline,
    });
    const bytes = await readAtMost(response, maxBytes);
    if (bytes === null) throw new ProviderError("invalid", "Its answer is too large.");
    const { status, headers: given } = response;
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: [...given] });
  };
}

/** Hears a refresh token before anything else of the answer is looked at, as the one before works no more by then. */
export function hearing(
  fetch: OpenId.CustomFetch,
  onToken: (refreshToken: string) => void,
): OpenId.CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options);
    // Nothing but the token endpoint is asked by a form.
    if (options.method !== "POST" || !response.ok) return response;
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const token = typeof answer === "object" && answer !== null && Reflect.get(answer, "refresh_token");
    if (typeof token === "string") onToken(token);
    return response;
  };
}
