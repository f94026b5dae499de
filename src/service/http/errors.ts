import type { Endpoint } from "../../contract/define.ts";
import { type ErrorCode, errorCatalogue, renderError } from "../../contract/errors.ts";
import { ServiceError } from "../service-error.ts";
import { isDatabaseUnavailable, isFilesUnavailable, isOutOfRoom } from "../store/store-error.ts";

/** An error as it goes out: nothing in it comes from inside the service unless a `ServiceError` says it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param shape of the endpoint; `nested` where no endpoint was found */
export function errorAnswer(error: ServiceError, shape: Endpoint["errorShape"]): ErrorAnswer {
  const { code, facts } = error;
  const { status } = errorCatalogue[code];
  const headers: Record<string, string> = {};
  if (facts.retryAfter !== undefined)
    headers["retry-after"] = String(Math.max(1, Math.ceil(facts.retryAfter)));
  else if (status === 503 || status === 429) headers["retry-after"] = "2";
  if (status === 401) headers["www-authenticate"] = "Bearer";
  return { status, code, headers, body: JSON.stringify(renderError(shape, code, facts)) };
}

/** Whatever was thrown as an error of the catalogue: a database or an object store that is away is 503, a full disk 507, the rest 500. */
export function asServiceError(thrown: unknown): ServiceError {
  for (let error = thrown, depth = 0; error !== undefined && depth < 5; depth++) {
    if (error instanceof ServiceError) return error;
    if (isOutOfRoom(error)) return new ServiceError("insufficient_storage", { cause: thrown });
    if (isFilesUnavailable(error)) {
      const message = "The service's file storage is not available right now.";
      return new ServiceError("unavailable", { message, cause: thrown, retryAfter: 5 });
    }
    if (isDatabaseUnavailable(error))
      return new ServiceError("unavailable", { cause: thrown, retryAfter: 2 });
    error = error instanceof Error ? error.cause : undefined;
  }
  return new ServiceError("internal", { cause: thrown });
}
