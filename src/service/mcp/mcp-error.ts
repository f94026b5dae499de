/**
 * - `unknown`: there is no such server or tool
 * - `no_owner`: the server wants somebody's own credentials, and the call is for nobody
 * - `unauthenticated`: it wants credentials that it did not get
 * - `unreachable`: no answer, or none that can be read, or the connection broke in the middle of one
 * - `timeout`: no answer in time
 * - `too_large`: an answer of more than 10 MB, or over HTTP of more values or keys than `jsonLimits` has
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

/** A server could not be asked. The message is a sentence of ours for a person and holds no header and no variable. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly failure: McpFailure;
  /** The last lines of a command that did not start, without its secrets: its own words, so never for a prompt. */
  readonly output: string;

  constructor(failure: McpFailure, message: string, cause?: unknown, output = "") {
    super(message, { cause });
    this.failure = failure;
    this.output = output;
  }

  /** The sentence, and below it the last lines of a command that did not start: for people, and as the error of a call. */
  get whole(): string {
    return this.output === "" ? this.message : `${this.message}\n${this.output}`;
  }
}
