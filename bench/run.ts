import { ensureBuilt } from "../scripts/ensure-built.ts";
import { benchArtifactsList } from "./artifacts-list.ts";
import { benchFirstLogLine } from "./first-log-line.ts";
import { benchFirstRoute } from "./first-route.ts";
import { benchFlowBroken } from "./flow-broken.ts";
import { benchGetRun } from "./get-run.ts";
import { benchLog } from "./log.ts";
import { type Figure, keepsBudget, machine, report } from "./report.ts";
import { benchRunsList } from "./runs-list.ts";
import { benchRunsPerSecond } from "./runs-per-second.ts";
import { benchStart } from "./start.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  start: benchStart,
  "first-log-line": benchFirstLogLine,
  "first-route": benchFirstRoute,
  "flow-broken": benchFlowBroken,
  "get-run": benchGetRun,
  "runs-per-second": benchRunsPerSecond,
  log: () => benchLog(),
  "runs-list": benchRunsList,
  "artifacts-list": benchArtifactsList,
};

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const check = process.argv.includes("--check");

ensureBuilt();
console.log(JSON.stringify(machine()));
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const figures = await bench();
  report(name, figures);
  if (check && !figures.every(keepsBudget)) process.exitCode = 1;
}
