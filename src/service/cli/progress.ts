import type { Progress } from "../backup/back-up.ts";

/** Where progress is told: a terminal has one line that changes, anything else a line now and then. */
export interface ProgressOutput {
  readonly isTTY: boolean;
  write(text: string): void;
}

export const standardError: ProgressOutput = {
  isTTY: process.stderr.isTTY === true,
  write: (text) => process.stderr.write(text),
};

const msBetween = { terminal: 200, lines: 10_000 };

/** Tells how far something is, no more often than it can be read. */
export function createProgress({ isTTY, write }: ProgressOutput) {
  let next = performance.now() + (isTTY ? 0 : msBetween.lines);
  let shown = 0;
  return {
    report(progress: Progress): void {
      if (performance.now() < next) return;
      next = performance.now() + (isTTY ? msBetween.terminal : msBetween.lines);
      const line = lineOf(progress);
      write(isTTY ? `\r${line.padEnd(shown)}` : `${line}\n`);
      shown = line.length;
    },
    /** Takes the line of a terminal away. */
    end(): void {
      if (isTTY && shown > 0) write(`\r${"".padEnd(shown)}\r`);
      shown = 0;
    },
  };
}

function lineOf({ doing, bytes, done, of }: Progress): string {
  switch (doing) {
    case "checking":
      return `checking: ${sizeText(done)} of ${sizeText(of)}`;
    case "rows":
      return `rows: ${done} of ${of} tables, ${sizeText(bytes)}`;
    case "files":
      return `files: ${done} of ${of}, ${sizeText(bytes)}`;
    case "indexes":
      return "looking at how the rows belong together";
  }
}

/** Such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.ceil(bytes / 1e3)} kB`;
}

/** Seconds to the tenth. */
export const rounded = (seconds: number) => Math.round(seconds * 10) / 10;
