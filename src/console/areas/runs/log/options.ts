import type { LogFilter } from "./log-view.ts";
import type { TimeMode } from "./logTime.ts";

/** How a person looks at a log. */
export interface LogOptions extends LogFilter {
  readonly text: string;
  /** The text is a regular expression. */
  readonly isPattern: boolean;
  readonly isWrapped: boolean;
  readonly time: TimeMode;
}

export const noNodes: ReadonlySet<string> = new Set();

export const firstOptions: LogOptions = {
  text: "",
  isPattern: false,
  level: "all",
  nodes: noNodes,
  isWrapped: true,
  time: "start",
};
