import type { Call, Endpoint } from "../../contract/define.ts";
import { buildRequest, type RequestOptions } from "../api/request.ts";
import type { Api } from "./api.tsx";

/** What is said of a copied line: the key is not in it. */
export const curlCopied = {
  title: "Copied as curl",
  detail: "Your key is not included: set WHEELHOUSE_KEY in your shell.",
};

/** One call of the service as a line for a shell. @param bodyText the body as it was typed */
export function curlOfCall<E extends Endpoint>(
  { base }: Api,
  endpoint: E,
  input: Call<E>,
  bodyText?: RequestOptions["bodyText"],
): string {
  const { method, url, body } = buildRequest({ base, credential: null }, endpoint, input, { bodyText });
  return curlOf({ method, url, ...(body !== null && { text: body }) });
}

/** One request as a line for a shell. The secret is always `$WHEELHOUSE_KEY`, never the key itself (C-25). */
export function curlOf(request: {
  method: string;
  /** Absolute, without a credential. */
  url: string;
  headers?: readonly (readonly [string, string])[];
  /** JSON; left out where there is no body. */
  body?: unknown;
  /** The same as text, where it is sent as it was typed. */
  text?: string;
}): string {
  const parts = ["curl"];
  if (request.method !== "GET") parts.push("-X", request.method);
  parts.push(quote(request.url), "-H", '"Authorization: Bearer $WHEELHOUSE_KEY"');
  for (const [name, value] of request.headers ?? []) parts.push("-H", quote(`${name}: ${value}`));
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  if (text !== undefined) {
    parts.push("-H", quote("Content-Type: application/json"), "-d", quote(text));
  }
  return parts.join(" ");
}

/** Single quotes keep everything as it is; a quote inside is closed, escaped and opened again. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
