import { ensureBuilt } from "../scripts/ensure-built.ts";

import { benchFairness } from "./fairness.ts";
import { benchFirstLogLine } from "./first-log-line.ts";
import { benchFirstRoute } from "./first-route.ts";
import { benchFlowBroken } from "./flow-broken.ts";
import { benchGetRun } from "./get-run.ts";
import { benchHistory } from "./history.ts";
import { benchLog } from "./log.ts";
import { benchMemory } from "./memory.ts";
import { benchOpenPages } from "./open-pages.ts";
import { type Bench, keepRecord, keepsBudget, machine, print } from "./report.ts";
import { benchRetention } from "./retention.ts";
import { benchRunsList } from "./runs-list.ts";
import { benchRunsPerSecond } from "./runs-per-second.ts";
import { benchSearch } from "./search.ts";
import { benchSecondProcess } from "./second-process.ts";
import { benchStart } from "./start.ts";
import { benchTakeover } from "./takeover.ts";

const benches: Record<string, Bench> = {
  start: () => benchStart(),
  fairness: benchFairness,
  "first-log-line": () => benchFirstLogLine(),
  "first-route": benchFirstRoute,
  "flow-broken": () => benchFlowBroken(),
  "get-run": () => benchGetRun(),
  "runs-per-second": (_, rounds) => benchRunsPerSecond(rounds),
  "second-process": (_, rounds) => benchSecondProcess(rounds),
  log: () => benchLog(),
  "runs-list": () => benchRunsList(),
  history: benchHistory,
  memory: benchMemory,
  "open-pages": () => benchOpenPages(),
  retention: () => benchRetention(),
  search: (words) => benchSearch(words),
  takeover: (_, rounds) => benchTakeover(rounds),
};

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const wanted = words.filter((word) => word in benches);
const rest = words.filter((word) => !(word in benches));
const check = process.argv.includes("--check");
const rounds = /--rounds=(\d+)/.exec(process.argv.join(" "))?.[1];
if (rest.length > 0 && !["fairness", "first-route", "memory", "search"].includes(wanted.join()))
  throw new Error(`No bench ${rest.join(", ")}; there are: ${Object.keys(benches).join(", ")}`);

ensureBuilt();
console.log(JSON.stringify(machine()));
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const taken = await bench(rest, rounds === undefined ? undefined : Number(rounds));
  const { figures, raw } = "figures" in taken ? taken : { figures: taken, raw: {} };
  print(name, figures);
  if (raw !== null) keepRecord(name, figures, raw);
  if (check && !figures.every(keepsBudget)) process.exitCode = 1;
}
