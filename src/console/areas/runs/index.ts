/** What other areas may use of this one. */

export { flowQueries } from "./flow-queries.ts";
export { useKillRequested } from "./kill.ts";
export { useKnownRows } from "./list/KnownRuns.tsx";
export { runPages } from "./list-queries.ts";
export { readLine } from "./log/line.ts";
export { runMutations } from "./mutations.ts";
export { runQueries } from "./queries.ts";
export {
  firstInputs,
  type RunRow,
  rowOfHistory,
  rowOfService,
  runLength,
  runName,
  valueWord,
} from "./run-row.ts";
export { type Usual, usualTime, usualWords } from "./runs-of-flow.ts";
export { makeStrip } from "./strip.ts";
export type { LineBlock } from "./worker/body-scanner.ts";
export { HeldLog } from "./worker/held-log.ts";
export { LogSearch, regexReach } from "./worker/log-search.ts";
export { type RunFields, readRunBody } from "./worker/run-body.ts";
export { lossOfRunWorker, SearchTooSlow } from "./worker/run-reader-client.ts";
