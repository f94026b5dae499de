import { isJsonObject, type JsonValue, ownField } from "../json.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

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
    const text = await readText(response);
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : plain(text, response.ok), { status, statusText, headers });
  };
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop ends the request.
    if (size > maxBytes) throw new OutgoingError("too_large", "the sign-in answered with more than 256 kB");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
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
