import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { createTurnKind, turnKind } from "../../service/agents/turn.ts";
import { type Clock, randomIds } from "../../service/context.ts";
import type { Journal, Kind, NewExecution } from "../../service/engine/kind.ts";
import { start } from "../../service/engine/start.ts";
import { createEvaluationKind, evaluationKind } from "../../service/evaluations/evaluation-kind.ts";
import { withEvaluations } from "../../service/evaluations/start-evaluations.ts";
import type { FileStore } from "../../service/files/file-store.ts";
import type { CodeRunner } from "../../service/nodes/code-runner.ts";
import { createOutgoing } from "../../service/outgoing/outgoing.ts";
import { createFlows } from "../../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../../service/pipelines/flow-versions.ts";
import { pipeline, pipelineKind } from "../../service/pipelines/kind.ts";
import { nodeServices } from "../../service/pipelines/services.ts";
import type { Database } from "../../service/store/schema.ts";
import type { Store } from "../../service/store/store.ts";
import { quickRetry } from "../agents.ts";
import { scriptedKind } from "../scripted-kind.ts";
import type { Ledger } from "./ledger.ts";
import type { Meeting } from "./meeting.ts";
import { outsideTools, scriptedModel } from "./model.ts";

/** What a process of a schedule is made of. */
export interface KindParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly files: FileStore;
  /** True from the moment when it is killed: it has no effect any more. */
  readonly isDead: () => boolean;
  /** Resolves at once unless it stands still; then when it goes on. */
  readonly goesOn: () => Promise<void>;
  readonly meeting: Meeting;
}

/** Nothing goes out by it, and no flow has code. */
const outgoing = createOutgoing({ allowPrivate: [] });
const code: CodeRunner = { run: () => Promise.reject(new Error("there is no code")), async close() {} };

/** When the present call of `advance` began. One for all: each that there is costs every promise a place, for ever. */
const begun = new AsyncLocalStorage<number>();

/** What processes do: scripts, turns, and meetings. */
export function scheduleKinds({
  ledger,
  files,
  store,
  clock,
  isDead,
  goesOn,
  meeting,
}: KindParts): Record<string, Kind> {
  const attempt = async (id: string, key: string) => {
    // Whoever is killed comes to no effect any more: what it was about to do hangs for ever.
    if (!isDead()) ledger.attempt(id, key, begun.getStore() ?? 0);
    await new Promise(setImmediate);
    await goesOn();
    if (isDead()) await new Promise<never>(() => {});
  };
  /** Has the ledger told of what is recorded, and the log dated. */
  const watched = (kind: Kind): Kind => ({
    ...kind,
    advance: (execution, journal) =>
      begun.run(ledger.tick(), async () => {
        const date = (lines: readonly string[]) => dated(clock, lines);
        const outcome = await kind.advance(execution, watchedJournal(journal, execution.id, ledger, date));
        return outcome.type === "waiting" ? outcome : { ...outcome, log: date(outcome.log ?? []) };
      }),
  });
  const { db } = store;
  const mcp = outsideTools(store, async (key) => {
    const [runId = "", step] = key.split(":");
    if (step !== undefined) {
      await attempt(runId, step);
      return ledger.failing.has(`${runId} ${step}`);
    }
    const [number, index, ...id] = key.split("-");
    await attempt(id.join("-"), `${number}-${index}`);
    return false;
  });
  const asked = createTurnKind({
    ...{ store, db, clock, ids: randomIds, retry: quickRetry, models: scriptedModel },
    outgoing,
    approvals: { floors: [], operators: new Map() },
    files,
    findFlow: async () => null,
    findKnowledge: async () => [],
    mayUseServer: async () => true,
    mcp,
  });
  const begin = (tx: Kysely<Database>, evaluation: NewExecution) => start(tx, evaluation, "queue");
  const turns = withEvaluations(asked, { ids: randomIds, engine: { start: begin } });
  const evaluations = createEvaluationKind({
    ...{ store, clock, retry: quickRetry, models: scriptedModel, quietMs: 0, limitMs: 60_000 },
  });
  const scripted = watched(scriptedKind({ before: attempt }, true));
  const versions = createFlowVersions(db);
  const parts = { clock, ids: randomIds, outgoing, files, mcp, code, findKnowledge: async () => [] };
  const flows = pipelineKind(
    nodeServices(db, createFlows(db, versions), parts, { preferred: scriptedModel.preferred }),
    versions,
  );
  /** Runs with a script instead of a flow, which are kept and deleted as all others. */
  const runs: Kind = {
    ...flows,
    advance: (execution, journal) =>
      Object.hasOwn(Object(execution.input), "script")
        ? scripted.advance(execution, journal)
        : begun.run(ledger.tick(), () =>
            flows.advance(
              execution,
              watchedJournal(journal, execution.id, ledger, (lines) => lines),
            ),
          ),
  };
  return {
    [pipeline]: runs,
    scripted,
    [turnKind]: watched(turns),
    [evaluationKind]: evaluations,
    meeting: meeting.kind(isDead),
  };
}

const dated = (clock: Clock, lines: readonly string[]) =>
  lines.map((line) => `${clock.now().toISOString()} ${line}`);

function watchedJournal(
  journal: Journal,
  id: string,
  ledger: Ledger,
  date: (lines: readonly string[]) => readonly string[],
): Journal {
  return {
    ...journal,
    async record(key, outcome, options = {}) {
      await journal.record(key, outcome, { ...options, log: date(options.log ?? []) });
      if (options.isRepeatable === true) return;
      const call = /^tool (\d+) (\d+)$/.exec(key);
      ledger.recorded(id, call ? `${call[1]}-${call[2]}` : key);
    },
  };
}
