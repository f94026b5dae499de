import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

/** One measured figure: its name, value and unit, the budget that it must keep (null: none), and its raw samples. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly budget: number | null;
  /** Whether the budget is an upper or a lower bound. */
  readonly bound?: "at most" | "at least";
  readonly samples?: readonly number[];
}

/** What a bench took: figures, alone or with more for its record. Without a record (null) the last one stays. */
export type Taken = readonly Figure[] | { readonly figures: readonly Figure[]; readonly raw: object | null };

/**
 * One bench.
 * @param words the words of the command line that name no bench
 * @param rounds as `--rounds=N` said; undefined: as many as the bench needs
 */
export type Bench = (words: readonly string[], rounds?: number) => Promise<Taken>;

/** The sample at quantile `q` (0 to 1) of the values, by nearest rank. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))];
  if (value === undefined) throw new Error("no samples");
  return value;
}

/** Whether a figure keeps its budget; true without one. */
export function keepsBudget(figure: Figure): boolean {
  if (figure.budget === null) return true;
  return figure.bound === "at least" ? figure.value >= figure.budget : figure.value <= figure.budget;
}

/** What machine the figures come from. */
export function machine() {
  const cores = cpus();
  return {
    cpu: cores[0]?.model ?? "unknown",
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** Prints the figures as a table. */
export function print(name: string, figures: readonly Figure[]): void {
  const round = (value: number) => Math.round(value * 100) / 100;
  console.log(`\n${name}`);
  for (const figure of figures) {
    const bound =
      figure.budget === null ? "" : `(${figure.bound ?? "at most"} ${figure.budget} ${figure.unit})`;
    const verdict = figure.budget === null ? " " : keepsBudget(figure) ? "ok" : "OVER";
    console.log(
      `  ${figure.name.padEnd(52)} ${String(round(figure.value)).padStart(9)} ${figure.unit.padEnd(8)} ${bound} ${verdict}`,
    );
  }
}

/** Keeps the figures with their samples, and what else the bench took, in `bench/results/<name>.json`. */
export function keepRecord(name: string, figures: readonly Figure[], raw: object): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const record = { name, takenAt: new Date().toISOString(), machine: machine(), figures, ...raw };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}
