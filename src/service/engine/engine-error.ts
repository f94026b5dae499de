/** The execution is no longer ours: killed, ended, or taken over. Stop, and write nothing more. */
export class Fenced extends Error {
  override readonly name = "Fenced";

  constructor(executionId: string) {
    super(`${executionId} is no longer run by this worker`);
  }
}

/** The process stops; the execution is given back and goes on elsewhere. */
export class Stopping extends Error {
  override readonly name = "Stopping";

  constructor() {
    super("the service is stopping");
  }
}

/** No heartbeat has got through for almost as long as the lease lasts: others will soon have it. */
export class LeaseExpired extends Error {
  override readonly name = "LeaseRanOut";

  constructor() {
    super("no heartbeat has got through for almost as long as the lease lasts");
  }
}

export type LimitKind = "log_lines" | "log_bytes" | "steps" | "depth" | "children" | "tree";

/** The execution asked for more than one may have. Ends it as failed with this message unless its kind says otherwise. */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly kind: LimitKind;

  constructor(kind: LimitKind) {
    super(sentences[kind]);
    this.kind = kind;
  }
}

/** What one execution may have. */
export const limits = {
  logLines: 1_000_000,
  logBytes: 64 * 1024 * 1024,
  steps: 10_000,
  /** Levels of sub-runs below the top. */
  depth: 10,
  /** Sub-runs that one execution starts. */
  children: 1_000,
  /** Executions in one tree. */
  tree: 10_000,
  /**
   * For one team, or for one person outside teams: runs and turns at the same time, from their start to their end, with
   * all that they start; and of all of these, those that workers have at the same moment.
   */
  running: 50,
  /** Leases lost in a row without a recorded step. */
  attempts: 5,
} as const;

const count = (value: number) => value.toLocaleString("en");
const sentences: Record<LimitKind, string> = {
  log_lines: `the log is longer than ${count(limits.logLines)} lines`,
  log_bytes: `the log is larger than ${limits.logBytes / 1024 / 1024} MB`,
  steps: `it took more than ${count(limits.steps)} steps`,
  depth: `sub-runs are nested deeper than ${limits.depth} levels`,
  children: `it started more than ${count(limits.children)} sub-runs`,
  tree: `it and its sub-runs are more than ${count(limits.tree)} in all`,
};
