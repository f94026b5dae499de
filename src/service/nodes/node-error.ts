/** A node cannot do its work. The message is one plain sentence for the run's log; `passing` faults may be retried. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  readonly passing: boolean;

  constructor(message: string, options: { passing?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.passing = options.passing ?? false;
  }
}
