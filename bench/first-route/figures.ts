import { type Figure, quantile } from "../report.ts";
import type { Kept, Measured, Side } from "./measure.ts";

/** Bounds that every route has. */
const bounds = { frame: 1.15, blockingMs: 300, scripts: 6, unnamed: 0 } as const;
/** Of the runs list alone, in kB. */
const runsScripts = 150;

type Value = Exclude<{ [K in keyof Kept]: Kept[K] extends number ? K : never }[keyof Kept], "round">;

const samplesOf = ({ visits }: Measured, side: Side, value: Value): number[] =>
  visits.filter((one) => one.side === side).map((one) => one[value]);

/** @returns null where this side was not visited */
function median(measured: Measured, side: Side, value: Value): number | null {
  const samples = samplesOf(measured, side, value);
  return samples.length === 0 ? null : quantile(samples, 0.5);
}

/** How many times as long as the floor of the same round: the two were visited one right after the other. */
function ratios({ visits }: Measured, side: Side, value: Value): number[] {
  const floors = new Map(visits.filter((one) => one.side === "floor").map((one) => [one.round, one[value]]));
  return visits
    .filter((one) => one.side === side)
    .map((one) => one[value] / (floors.get(one.round) ?? Number.NaN));
}

/** The figures of one route, each with its bound where it has one. */
export function figuresOf(measured: Measured): Figure[] {
  const { name, atMost } = measured.route;
  const raw = (label: string, value: Value, unit: string, budget: number | null): Figure => ({
    name: `${name}: ${label}`,
    value: median(measured, "ours", value) ?? Number.NaN,
    ...{ unit, budget, samples: samplesOf(measured, "ours", value) },
  });
  const times = (label: string, value: Value, budget: number | null): Figure => {
    const samples = ratios(measured, "ours", value);
    return { name: `${name}: ${label}`, value: quantile(samples, 0.5), unit: "x floor", budget, samples };
  };
  const gzip = samplesOf(measured, "ours", "scriptsGzip").map((bytes) => bytes / 1000);
  return [
    times("ready", "ready", atMost),
    times("frame painted", "frame", bounds.frame),
    raw("blocking until ready", "blocking", "ms", bounds.blockingMs),
    raw("script requests", "scripts", "requests", bounds.scripts),
    raw("scripts that the HTML does not name", "scriptsUnnamed", "requests", bounds.unnamed),
    {
      name: `${name}: JavaScript (gzip)`,
      value: quantile(gzip, 0.5),
      ...{ unit: "kB", budget: name === "runs" ? runsScripts : null, samples: gzip },
    },
  ];
}

/** The medians of every route and side as a table for people. */
export function tableOf(all: readonly Measured[]): string {
  const head = [
    "route",
    "side",
    "first",
    "frame",
    "ready",
    "block",
    "req",
    "js",
    "unnamed",
    "js kB",
    "ready x",
  ];
  const rows = all.flatMap((measured) =>
    (["floor", "ours", "peer"] as const).flatMap((side) => {
      const ms = (value: Value) => String(Math.round(median(measured, side, value) ?? Number.NaN));
      if (median(measured, side, "ready") === null) return [];
      return [
        [
          ...[
            measured.route.name,
            side,
            ms("firstPaint"),
            ms("frame"),
            ms("ready"),
            ms("blocking"),
            ms("requests"),
          ],
          ...[ms("scripts"), ms("scriptsUnnamed")],
          String(Math.round((median(measured, side, "scriptsGzip") ?? 0) / 1000)),
          side === "floor" ? "" : quantile(ratios(measured, side, "ready"), 0.5).toFixed(2),
        ],
      ];
    }),
  );
  const lines = [head, ...rows].map(([route = "", side = "", ...rest]) =>
    [route.padEnd(18), side.padEnd(6), ...rest.map((cell) => cell.padStart(8))].join(""),
  );
  return lines.join("\n");
}
