/** `unauthenticated`: it wants credentials that it did not get. `unreachable`: no answer, or none that can be read. */
export type McpFailure = "unknown" | "unauthenticated" | "unreachable" | "timeout";

/** A server could not be asked. The message is a sentence for a person and holds no header and no variable. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly failure: McpFailure;

  constructor(failure: McpFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}
