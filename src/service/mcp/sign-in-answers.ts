import { isJsonObject, type JsonValue, ownField } from "../json.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { readAtMost } from "../outgoing/read-at-most.ts";

type Fetch = typeof globalThis.fetch;

/** Of metadata, a registration or tokens, in bytes: what came of a sign-in is kept, and opened for each call. */
const maxBytes = 256_000;

/** A code as RFC 6749 (5.2) writes it. */
const errorCode = /^[\x20-\x21\x23-\x5B\x5D-\x7E]{1,100}$/;

/**
 * The fetch for the steps of a sign-in and for renewals, whose answers are short JSON texts. Of a refusal its code alone goes
 * on: the SDK writes its words to the console of the process, and they may repeat the secrets that the request had.
 */
export function signInAnswers(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers } = response;
    const bytes = await readAtMost(response, maxBytes);
    if (bytes === null) throw new OutgoingError("too_large", "the sign-in answered with more than 256 kB");
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : plain(bytes.toString("utf8"), response.ok), {
      status,
      statusText,
      headers,
    });
  };
}

/** Some refuse with 200. What is no JSON becomes nothing: whoever parses it would quote it. */
function plain(text: string, isOk: boolean): string {
  let answer: JsonValue;
  try {
    answer = JSON.parse(text);
  } catch {
    return "";
  }
  const error = ownField(answer, "error");
  if (isOk && error === undefined) return text;
  const code = typeof error === "string" && errorCode.test(error) ? { error } : {};
  return isJsonObject(answer) ? JSON.stringify(code) : "";
}
