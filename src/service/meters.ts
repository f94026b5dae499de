/**
 * Told of what happens in this process, for whoever counts it (`metrics/`). None of it waits or throws, and each value of a
 * parameter is one of a bounded number: names from our tables, never ids or words of clients.
 */
export interface Meters {
  /** A request was answered. @param route an endpoint's name, or a pattern; `seconds` by a monotonic clock */
  request(route: string, status: number, seconds: number): void;
  /** An execution ended by this process. @param kind one of the engine's kinds */
  ended(kind: string, state: "done" | "failed" | "terminated"): void;
  /** An execution was claimed that had been ready, or held back, for so long. */
  claimed(kind: string, waitedSeconds: number): void;
  /** Steps of several executions were recorded by one statement, which took so long. */
  recorded(seconds: number): void;
  /**
   * A step ended for good.
   * @param kind whose step it is, as the engine calls it @param step a type of node, or a tool of our own; `mcp` for all others
   * @param seconds from its beginning, with what it waited for
   */
  step(kind: "pipeline" | "turn", step: string, outcome: "done" | "failed", seconds: number): void;
  /** Executions were taken from workers that fell silent. */
  takenOver(count: number): void;
  /** Spans went to the trace collector, which took them or refused them for ever. */
  spans(outcome: "exported" | "rejected", count: number): void;
  /** Traces were given up, as the collector took none for too long. */
  traces(outcome: "dropped", count: number): void;
}
