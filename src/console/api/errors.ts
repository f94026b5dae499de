import { isCredentialError as refusesCredential } from "../../contract/read-error.ts";

/**
 * Everything that can go wrong between the console and a service, as data. Nothing ever parses a message: code asks
 * `failure.kind`, the helpers below, or shows `describeError` (describe-error.ts).
 */

/** What came back instead of an answer of the service: C-13. */
export type Impostor = "html" | "empty" | "cut-off" | "redirect" | "not-json";

/** One failure. Times are milliseconds. `requestId` is `x-request-id` of the answer, null where there was none. */
export type Failure =
  | { readonly kind: "network" }
  | { readonly kind: "timeout"; readonly afterMs: number }
  | {
      readonly kind: "http";
      readonly status: number;
      /** The code of either error shape as it came, null where the answer named none. */
      readonly code: string | null;
      readonly message: string | null;
      readonly param: string | null;
      readonly details: unknown;
      readonly requestId: string | null;
      /** From `Retry-After`, clamped to 1 s … 10 min; null without the header. */
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: "not-the-service";
      readonly impostor: Impostor;
      readonly status: number;
      readonly requestId: string | null;
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: "contract";
      /** The path inside the answer that cannot be read, "" for the whole answer. */
      readonly path: string;
      readonly requestId: string | null;
    };

/** The one error class of the data layer. `endpoint` is the endpoint's name. */
export class ConsoleError extends Error {
  readonly failure: Failure;
  readonly endpoint: string;

  constructor(failure: Failure, endpoint: string, cause?: unknown) {
    super(`${endpoint}: ${summary(failure)}`, cause === undefined ? undefined : { cause });
    this.name = "ConsoleError";
    this.failure = failure;
    this.endpoint = endpoint;
  }

  get kind(): Failure["kind"] {
    return this.failure.kind;
  }
  /** The HTTP status, null where nothing answered. */
  get status(): number | null {
    return "status" in this.failure ? this.failure.status : null;
  }
  /** The code that the service named, null for all other failures. */
  get code(): string | null {
    return this.failure.kind === "http" ? this.failure.code : null;
  }
  get requestId(): string | null {
    return "requestId" in this.failure ? this.failure.requestId : null;
  }
  get retryAfterMs(): number | null {
    return "retryAfterMs" in this.failure ? this.failure.retryAfterMs : null;
  }
}

function summary(failure: Failure): string {
  if (failure.kind === "http") return `${failure.status} ${failure.code ?? ""}`.trim();
  if (failure.kind === "not-the-service") return `${failure.status} ${failure.impostor}`;
  return failure.kind === "contract" ? `unreadable answer at "${failure.path}"` : failure.kind;
}

/** The service refuses the credential itself: 401, or 403 with the value `Unauthorized` (§7.1). */
export function isCredentialError(error: unknown): error is ConsoleError {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return false;
  return refusesCredential(error.failure.status, error.failure.code ?? "");
}

/** The credential is right but may not do this. */
export function isForbidden(error: unknown): error is ConsoleError {
  return error instanceof ConsoleError && error.status === 403 && !isCredentialError(error);
}

/** The object does not exist for this caller. */
export function isNotFound(error: unknown): error is ConsoleError {
  return error instanceof ConsoleError && error.kind === "http" && error.status === 404;
}

/** The state of the object forbids it: another version, still processing, already approved. */
export function isConflict(error: unknown): error is ConsoleError {
  return error instanceof ConsoleError && error.kind === "http" && error.status === 409;
}

/**
 * The service does not have this endpoint at all: 405, 501, or a 404 that does not speak of an object. An endpoint
 * with an id in its path answers 404 for an unknown object too; then only a 404 without a code counts.
 */
export function isMissingEndpoint(error: unknown, endpoint: { readonly path: string }): boolean {
  if (!(error instanceof ConsoleError)) return false;
  if (error.status === 405 || error.status === 501) return true;
  if (error.status !== 404) return false;
  return !endpoint.path.includes("{") || error.code === null;
}

/**
 * Waiting may help: nothing answered, a 5xx, 408, 429, or a page of something in between. Where an MCP server does not
 * answer, the service is well and has answered.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof ConsoleError) || error.code === "tool_call_failed") return false;
  if (error.kind === "network" || error.kind === "timeout") return true;
  if (error.kind === "contract") return false;
  const status = error.status ?? 0;
  return status >= 500
    ? status !== 501
    : status === 408 || status === 429 || error.kind === "not-the-service";
}
