import type { ErrorCode } from "../contract/errors.ts";

/** What may be said beyond the code. Nothing here may hold a secret: all of it is sent. */
export interface ErrorFacts {
  /** One sentence for a person; the catalogue's own sentence where it is missing. */
  readonly message?: string;
  /** The field or parameter that is wrong, as the caller wrote it: `user_id`, `share.0.email`. */
  readonly param?: string;
  /** Plain JSON, such as `{ current_version: 7 }`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** The scopes with which a program would have been answered, sent in `WWW-Authenticate`. */
  readonly scopes?: readonly string[];
  /** For the log only, never sent. */
  readonly cause?: unknown;
}

/**
 * An answer other than success, by a code of the catalogue (§7). Handlers throw it; the HTTP room gives it the
 * status and the shape that the endpoint's row in the table says. Everything else that is thrown is a 500 without details.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(facts.message ?? code, { cause: facts.cause });
    this.code = code;
    this.facts = facts;
  }
}

/** A field of a body that holds something else than it may: `values.amount must be a number`. */
export const invalidField = (param: string, problem: string) =>
  new ServiceError("invalid_body", { message: `${param} ${problem}.`, param });
