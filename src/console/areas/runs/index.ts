/** What other areas may use of this one. */

export { flowQueries } from "./flow-queries.ts";
export { useKillRequested } from "./kill.ts";
export { rowOfHistory } from "./known-row.ts";
export { useKnownRows } from "./list/KnownRuns.tsx";
export { runMutations } from "./mutations.ts";
export { runQueries } from "./queries.ts";
export { firstInputs, type RunRow, rowOfService, runLength, runName, valueWord } from "./run-row.ts";
export { type Usual, usualTime, usualWords } from "./runs-of-flow.ts";
export { makeStrip } from "./strip.ts";
export { useHasNoFlow } from "./useHasNoFlow.ts";
