/** Where the viewer reads lines: the log of one run, kept outside of React, since it may have a million lines. */
export interface LogSource {
  /** How many lines there are now. */
  readonly length: number;
  /** The lines from `from` (0-based), at most `count`, as the service wrote them. */
  getLines(from: number, count: number): readonly string[];
  /** Calls back when lines came, went or were replaced. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
  /** Rises with each change. */
  readonly version: number;
  /** How often the log was replaced by another instead of growing. */
  readonly replaced: number;
  /** 0-based indexes of the lines that contain `text`, without regard to case. */
  search(text: string, signal: AbortSignal): Promise<readonly number[]>;
}
