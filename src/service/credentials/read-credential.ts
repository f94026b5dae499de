import { ServiceError } from "../service-error.ts";

/** What a request carries of a credential, before anything of it is believed. */
export interface CarriedCredential {
  /** The whole header; several are joined by ", ". */
  readonly authorization: string | null;
  /** Every `api_key` of the query, only where the endpoint takes one (§5.7). */
  readonly apiKeys: readonly string[];
}

/**
 * The one secret that a request carries (§5.1, §5.7).
 * @returns null when the request carries none; "" for a header that is there but cannot be used, which matches no key
 * @throws ServiceError `invalid_parameter` (400) when two of them disagree
 */
export function readSecret({ authorization, apiKeys }: CarriedCredential): string | null {
  const secrets = [...new Set([...readHeader(authorization), ...apiKeys])];
  if (secrets.length > 1) {
    throw new ServiceError("invalid_parameter", {
      message: "The request carries two different credentials: send one.",
      param: apiKeys.length > 0 ? "api_key" : "authorization",
    });
  }
  return secrets[0] ?? null;
}

function readHeader(header: string | null): string[] {
  if (header === null) return [];
  // A header sent twice arrives joined: each part must name its scheme again.
  return header.split(/,\s*(?=[A-Za-z]+\s)/).map((part) => /^Bearer +(\S+)\s*$/i.exec(part)?.[1] ?? "");
}
