import type { Endpoint } from "../../contract/define.ts";
import { isPrivateHeader } from "../../contract/input-headers.ts";
import { shortAgent } from "../credentials/authenticate.ts";
import type { RequestSource } from "../credentials/sign-in.ts";
import type { RequestLike } from "./plain-get.ts";

/**
 * What a handler may know of the headers, lower-case names, in the order in which they came: no credential, no cookie and
 * nothing that belongs to one connection, so that none is ever an input, a log line or forwarded.
 */
export function publicHeaders(headers: RequestLike["headers"]): ReadonlyMap<string, string> {
  // Trimmed one by one: a pattern with blanks before the comma looks at each of many blanks as often as there are more.
  const connection = (headers.get("connection") ?? "").toLowerCase();
  const named = new Set(connection.split(",").map((name) => name.trim()));
  const kept = new Map<string, string>();
  headers.forEach((value, name) => {
    if (!isPrivateHeader(name) && !named.has(name)) kept.set(name, value);
  });
  return kept;
}

/** From where a request comes. Forwarding headers are never believed. */
export function placeOf(headers: Pick<RequestLike["headers"], "get">, remoteAddress: string): RequestSource {
  return { address: remoteAddress, userAgent: shortAgent(headers.get("user-agent")) };
}

/** The headers that an endpoint reads, under the names that its schema gives them; those that are not there are left out. */
export function namedHeaders(
  { headers: schema }: Endpoint,
  headers: RequestLike["headers"],
): Record<string, string> {
  const names = Object.keys(schema?.shape ?? {});
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
