/** What the last read did to a log. `replaced`: lines that were there before have gone or read differently now. */
export type LogChange = "none" | "appended" | "replaced";

/** A run's log on the page's side: any window of it at once, however long it is. */
export interface RunLog {
  /** How many lines there are. */
  readonly length: number;
  /** Rises at every change; for `useSyncExternalStore`. */
  readonly version: number;
  readonly lastChange: LogChange;
  /** How often lines that were there have been taken back; a page says so in a word. */
  readonly replacements: number;
  /** The lines `from` … `from + count - 1` as far as they exist; carriage returns are folded to the last. */
  getLines(from: number, count: number): readonly string[];
  subscribe(listener: () => void): () => void;
}
