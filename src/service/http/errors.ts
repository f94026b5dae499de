import type { Endpoint } from "../../contract/define.ts";
import { type ErrorCode, errorCatalogue, renderError } from "../../contract/errors.ts";
import { oauthPaths } from "../../contract/scopes.ts";
import { ServiceError } from "../service-error.ts";
import { causesOf, isDatabaseUnavailable, isFilesUnavailable, isOutOfRoom } from "../store/store-error.ts";

/** An error as it goes out: nothing in it comes from inside the service unless a `ServiceError` says it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param shape of the endpoint; `nested` where no endpoint was found
 * @param publicUrl where programs find what tokens are for; null: not known yet
 */
export function errorAnswer(
  error: ServiceError,
  shape: Endpoint["errorShape"],
  publicUrl: string | null = null,
): ErrorAnswer {
  const { code, facts } = error;
  const { status } = errorCatalogue[code];
  const headers: Record<string, string> = {};
  if (facts.retryAfter !== undefined)
    headers["retry-after"] = String(Math.max(1, Math.ceil(facts.retryAfter)));
  else if (status === 503 || status === 429) headers["retry-after"] = "2";
  const challenge = challengeOf(error, status, publicUrl);
  if (challenge !== null) headers["www-authenticate"] = challenge;
  return { status, code, headers, body: JSON.stringify(renderError(shape, code, facts)) };
}

/**
 * What `WWW-Authenticate` says (RFC 6750 §3, RFC 9728 §5.1): where a program reads which sign-in this service takes, and, for one that
 * lacks a scope, with which ones it would have been answered. Null of all else, also of what no scope opens.
 */
function challengeOf({ code, facts }: ServiceError, status: number, publicUrl: string | null): string | null {
  const { scopes } = facts;
  if (status !== 401 && scopes === undefined) return null;
  const parameters = {
    // Who sent no token at all did nothing wrong.
    error:
      scopes !== undefined ? "insufficient_scope" : code === "invalid_credentials" ? "invalid_token" : null,
    scope: scopes?.join(" ") ?? null,
    resource_metadata: publicUrl === null ? null : `${publicUrl}${oauthPaths.resource}/api/v1`,
  };
  const said = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${value}"`],
  );
  return said.length === 0 ? "Bearer" : `Bearer ${said.join(", ")}`;
}

/** Whatever was thrown as an error of the catalogue: a database or an object store that is away is 503, a full disk 507, the rest 500. */
export function asServiceError(thrown: unknown): ServiceError {
  for (const error of causesOf(thrown)) {
    if (error instanceof ServiceError) return error;
    if (isOutOfRoom(error)) return new ServiceError("insufficient_storage", { cause: thrown });
    if (isFilesUnavailable(error)) {
      const message = "The service's file storage is not available right now.";
      return new ServiceError("unavailable", { message, cause: thrown, retryAfter: 5 });
    }
    if (isDatabaseUnavailable(error))
      return new ServiceError("unavailable", { cause: thrown, retryAfter: 2 });
  }
  return new ServiceError("internal", { cause: thrown });
}
