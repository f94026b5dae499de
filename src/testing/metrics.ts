import { readFileSync } from "node:fs";
import { resolve } from "node:path";

type Labels = Readonly<Record<string, string>>;

/** Metrics as they were read from their text. */
export interface Figures {
  /** The value of a series; 0 where there is none. */
  count(name: string, labels?: Labels): number;
  /** Every value that a label of a metric has. */
  labels(name: string, label: string): string[];
  /** Of all metrics, in order. */
  names(): string[];
}

/** Reads Prometheus' text format, as far as tests need it. */
export function figures(text: string): Figures {
  const series = text.split("\n").flatMap((line) => {
    const [, name, inside = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const labels = Object.fromEntries(
      [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", of = ""]) => [label, of]),
    );
    return [{ name, labels, value: Number(value === "Nan" ? "NaN" : value) }];
  });
  return {
    count: (name, labels = {}) =>
      series.find(
        (one) =>
          one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      )?.value ?? 0,
    labels: (name, label) => [
      ...new Set(series.filter((one) => one.name === name).flatMap((one) => one.labels[label] ?? [])),
    ],
    names: () => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name).sort(),
  };
}

/** The names in the table of docs/metrics.md, in order. */
export function documentedMetrics(): string[] {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/metrics.md"), "utf8");
  return [...page.matchAll(/^\| `(wheelhouse_\w+)`/gm)].map(([, name = ""]) => name).sort();
}
