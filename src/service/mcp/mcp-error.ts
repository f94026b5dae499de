/**
 * - `unknown`: there is no such server or tool
 * - `no_owner`: the server wants somebody's own credentials, and the call is for nobody
 * - `unauthenticated`: it wants credentials that it did not get
 * - `unreachable`: no answer, or none that can be read, or the connection broke in the middle of one
 * - `timeout`: no answer in time
 * - `too_large`: an answer of more than 10 MB
 * - `held`: the tool's definition changed and nobody has looked at it
 * - `no_sign_in`: nothing to sign in to
 */
export type McpFailure =
  | "unknown"
  | "no_owner"
  | "unauthenticated"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "held"
  | "no_sign_in";

/** A server could not be asked. The message is a sentence for a person and holds no header and no variable. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly failure: McpFailure;

  constructor(failure: McpFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}
