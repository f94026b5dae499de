import type { Endpoint } from "../../contract/define.ts";
import type { Asked } from "./asked.ts";

/** Credentials, cookies and what belongs to one connection (RFC 9110 §7.6.1): never an input, a log line or forwarded. */
const withheld: ReadonlySet<string> = new Set([
  "authorization",
  "x-auth-key",
  "cookie",
  "cookie2",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** What a handler may know of the headers (§4.3 rule 3), lower-case names, in the order in which they came. */
export function publicHeaders(headers: Asked["headers"]): ReadonlyMap<string, string> {
  const named = new Set((headers.get("connection") ?? "").toLowerCase().split(/\s*,\s*/));
  const kept = new Map<string, string>();
  headers.forEach((value, name) => {
    if (!withheld.has(name) && !name.startsWith("proxy-") && !named.has(name)) kept.set(name, value);
  });
  return kept;
}

/** The headers that an endpoint reads, under the names that its schema gives them; those that are not there are left out. */
export function namedHeaders(
  { headers: schema }: Endpoint,
  headers: Asked["headers"],
): Record<string, string> {
  const names = Object.keys(schema?.shape ?? {});
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
