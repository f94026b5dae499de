import { createTurnKind } from "../service/agents/turn.ts";
import { type AttachedRow, writeAttached } from "../service/engine/attached-rows.ts";
import type { Execution, Journal, Outcome, Step, StepOptions } from "../service/engine/kind.ts";
import { readExecution } from "../service/engine/queries.ts";
import { type AgentService, quickRetry } from "./agents.ts";

class Crash extends Error {}

/** When the process dies: before the write with this number (effects are done, nothing is recorded), or right after it. */
export interface Death {
  readonly at: number;
  readonly when: "before" | "after";
}

/**
 * A journal in memory that writes a step's rows for real, and dies once. Children and timers end as soon as they wait. What
 * may be repeated is written with the next write, or with the end.
 */
function dyingJournal(app: AgentService, id: string, recorded: Map<string, Step>, death: Death | null) {
  let writes = 0;
  const steps = new Map(recorded);
  let unwritten: { step: Step; rows: readonly AttachedRow[] }[] = [];
  const flush = async (further: readonly AttachedRow[] = []) => {
    const { db } = app.context.store;
    const rows = [...unwritten.flatMap((one) => one.rows), ...further];
    await writeAttached(db, id, rows);
    for (const { step } of unwritten) recorded.set(step.key, step);
    unwritten = [];
  };
  const blank = { output: null, error: null, wakeAt: null, childId: null };
  const write = async (step: Step, { rows = [], isRepeatable }: StepOptions = {}) => {
    if (isRepeatable) {
      if (!steps.has(step.key)) unwritten.push({ step, rows });
      steps.set(step.key, step);
      return;
    }
    writes++;
    if (death?.at === writes && death.when === "before") throw new Crash();
    if (steps.has(step.key)) return;
    unwritten.push({ step, rows });
    await flush();
    steps.set(step.key, step);
    if (death?.at === writes) throw new Crash();
  };
  const journal: Journal = {
    signal: new AbortController().signal,
    steps,
    record: (key, outcome, options) =>
      write(
        {
          ...blank,
          key,
          state: outcome.type,
          ...(outcome.type === "done" ? { output: outcome.output } : { error: outcome.error }),
        },
        options,
      ),
    wait: (key, _ms, options) => write({ ...blank, key, state: "waiting" }, options),
    spawn: (key, child, options) => write({ ...blank, key, state: "waiting", childId: child.id }, options),
    log: async () => {},
    woken: () => new Promise(() => {}),
  };
  /** The end, which what is unwritten goes with. */
  const end = async (rows: readonly AttachedRow[]) => {
    writes++;
    if (death?.at === writes && death.when === "before") throw new Crash();
    await flush(rows);
  };
  return { journal, end, writes: () => writes };
}

/** What happens to a turn on its way. */
export interface Fate {
  readonly death: Death | null;
  /** Told what is recorded at each request that leaves the machine. */
  readonly asked?: (recorded: readonly string[]) => void;
  /** Whether it may use MCP servers; not unless this says so. */
  readonly usesServers?: boolean;
  /** Between two lives: ends what waits. Without it children and timers end as soon as they wait. */
  readonly wake?: (steps: Map<string, Step>) => Promise<void>;
}

/** Runs a turn to its end, with this death on the way. @returns how it ended and how many writes there were */
export async function live(
  app: AgentService,
  execution: Execution,
  { death, asked = () => {}, usesServers = false, wake = endWaits }: Fate,
): Promise<{ outcome: Outcome; writes: number }> {
  const { db } = app.context.store;
  const { clock, ids, files, models, mcp } = app.context;
  const findFlow = async (id: string) => ({ id, name: id, startInput: (values: object) => ({ ...values }) });
  const steps = new Map<string, Step>();
  const request = () => {
    asked([...steps.keys()]);
    return Promise.resolve({ status: 200, headers: {}, text: "An answer." });
  };
  const outgoing = { request, fetch, close: async () => {} };
  const mayUseServer = async () => usesServers;
  const kind = createTurnKind({
    store: app.context.store,
    db,
    clock,
    ids,
    files,
    models,
    mcp,
    outgoing,
    findFlow,
    findKnowledge: async () => [],
    mayUseServer,
    retry: quickRetry,
    approvals: { floors: [], operators: new Map() },
  });
  let writes = 0;
  for (let life = 1; life <= 20; life++) {
    const dying = dyingJournal(app, execution.id, steps, life === 1 ? death : null);
    try {
      const outcome = await kind.advance(execution, dying.journal);
      if (outcome.type !== "waiting") {
        await dying.end(kind.rowsOfEnd?.(execution, outcome) ?? []);
        return { outcome, writes: writes + dying.writes() };
      }
      writes += dying.writes();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    await wake(steps);
  }
  throw new Error("the turn came to no end");
}

/** Children and timers of a turn end, but for the end of its time. */
async function endWaits(steps: Map<string, Step>): Promise<void> {
  for (const [key, step] of steps) {
    if (step.state === "waiting" && key !== "deadline")
      steps.set(key, { ...step, state: "done", output: { outputs: { n: 1 } } });
  }
}

/** Starts a turn that nobody works on. */
export async function newTurn(
  app: AgentService,
  lines: readonly string[],
  agent = "agent_offline",
): Promise<Execution> {
  const { body } = await app.start(lines.join("\n"), { gummie_id: agent });
  const { execution_id } = await app.context.store.db
    .selectFrom("interactions")
    .select("execution_id")
    .where("id", "=", body.interaction_id)
    .executeTakeFirstOrThrow();
  const execution = await readExecution(app.context.store.db, execution_id);
  if (execution === undefined) throw new Error("there is no execution");
  return execution;
}
