import { type Level, readLine } from "../log/line.ts";
import { type ReadTimeline, Timeline } from "../log/timeline.ts";
import type { HeldLog } from "./held-log.ts";

/** How the level of a line is written in one byte. */
export const levelCodes: Readonly<Record<Level, number>> = { plain: 0, warning: 1, error: 2 };

/** Set on a line that was written over the one before it, as a progress bar is by carriage returns. */
export const overwrites = 4;

/** What was read of some lines, in one piece. */
export interface LogFacts {
  /** The first line that this tells of. */
  readonly from: number;
  /** One byte for each line: a level's code, and perhaps `overwrites`. */
  readonly levels: Uint8Array<ArrayBuffer>;
  /** The node of each line: its place in all names so far, counted from 1; 0 for none. */
  readonly nodes: Uint16Array<ArrayBuffer>;
  /** Names that came for the first time. */
  readonly names: readonly string[];
  /** The nodes' times over all lines so far. */
  readonly timeline: ReadTimeline;
}

/** Nodes with names beyond these cannot be filtered by. */
const mostNames = 2_000;
/** How many lines are read before the clock is looked at. */
const atOnce = 200;

/** The lines to read: carriage returns within a line are folded, those between lines are told. */
export type ReadableLog = Pick<HeldLog, "length" | "text" | "endsWithReturn" | "startsWithReturn">;

/** Reads what the lines of one log mean, in steps between other work. */
export class LogReading {
  readonly #timeline = new Timeline();
  readonly #ids = new Map<string, number>();
  #read = 0;
  #level: Level = "plain";
  #node = 0;
  #returned = false;

  /** How many lines were read. */
  get length(): number {
    return this.#read;
  }

  /**
   * Reads lines on until `isEnough` or the end.
   * @returns null where nothing was left to read
   */
  step(log: ReadableLog, isEnough: () => boolean): LogFacts | null {
    const from = this.#read;
    if (from >= log.length) return null;
    const levels: number[] = [];
    const nodes: number[] = [];
    const names: string[] = [];
    do {
      const end = Math.min(log.length, this.#read + atOnce);
      for (; this.#read < end; this.#read += 1) this.#line(log, levels, nodes, names);
    } while (this.#read < log.length && !isEnough());
    const { spans, leftOut } = this.#timeline;
    return {
      from,
      levels: Uint8Array.from(levels),
      nodes: Uint16Array.from(nodes),
      names,
      timeline: { spans, leftOut },
    };
  }

  #line(log: ReadableLog, levels: number[], nodes: number[], names: string[]): void {
    const line = readLine(log.text(this.#read));
    this.#timeline.add([line]);
    const node = line.node === null ? 0 : this.#idOf(line.node, names);
    // The lines of a stack trace belong to the error above them, also those that were written without a node.
    const isLoose = line.at === null;
    const continues = /^[ \t]+\S/.test(line.text.slice(0, 80)) && (node === this.#node || isLoose);
    const level = continues && line.level === "plain" ? this.#level : line.level;
    const isOver = node === this.#node && (this.#returned || log.startsWithReturn(this.#read));
    levels.push(levelCodes[level] | (isOver && this.#read > 0 ? overwrites : 0));
    nodes.push(node);
    this.#level = level;
    if (!continues) this.#node = node;
    this.#returned = log.endsWithReturn(this.#read);
  }

  #idOf(name: string, names: string[]): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    if (this.#ids.size >= mostNames) return 0;
    const id = this.#ids.size + 1;
    this.#ids.set(name, id);
    names.push(name);
    return id;
  }
}
