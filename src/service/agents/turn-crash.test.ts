import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, quickRetry, startAgentService } from "../../testing/agents.ts";
import { writeRows } from "../../testing/rows-of-step.ts";
import type { Execution, Journal, Outcome, Step, StepOptions } from "../engine/kind.ts";
import { readExecution } from "../engine/queries.ts";
import type { RowsOfStep } from "../engine/record-steps.ts";
import type { Tx } from "../store/store.ts";
import { createTurnKind } from "./turn.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

class Crash extends Error {}

/** When the process dies: before the write with this number (effects are done, nothing is recorded), or right after it. */
interface Death {
  readonly at: number;
  readonly when: "before" | "after";
}

/**
 * A journal in memory that writes a step's rows for real, and dies once. Children and timers end as soon as they wait. What
 * may be repeated is written with the next write, or with the end.
 */
function dyingJournal(id: string, recorded: Map<string, Step>, death: Death | null) {
  let writes = 0;
  const steps = new Map(recorded);
  let unwritten: { step: Step; rows: readonly RowsOfStep[] }[] = [];
  const flush = async () => {
    const { db } = app.context.store;
    const rows = unwritten.flatMap((one) => one.rows);
    await writeRows(db, id, rows);
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
  const end = async (write: () => Promise<void>) => {
    writes++;
    if (death?.at === writes && death.when === "before") throw new Crash();
    await flush();
    await write();
  };
  return { journal, end, writes: () => writes };
}

/** Runs a turn to its end, with this death on the way. @returns how it ended and how many writes there were */
async function live(
  execution: Execution,
  death: Death | null,
  asked: (recorded: readonly string[]) => void = () => {},
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
  const mayUseServer = async () => false;
  const kind = createTurnKind({
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
    const dying = dyingJournal(execution.id, steps, life === 1 ? death : null);
    try {
      const outcome = await kind.advance(execution, dying.journal);
      if (outcome.type !== "waiting") {
        const write = (tx: Tx) => kind.ended?.(tx, execution, outcome) ?? Promise.resolve();
        await dying.end(() => db.transaction().execute(write));
        return { outcome, writes: writes + dying.writes() };
      }
      writes += dying.writes();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    for (const [key, step] of steps) {
      if (step.state === "waiting" && key !== "deadline")
        steps.set(key, { ...step, state: "done", output: { outputs: { n: 1 } } });
    }
  }
  throw new Error("the turn came to no end");
}

const commands = [
  '/write_file {"name":"a.txt","content":"a"}',
  '/run_flow {"saved_item_id":"flow_any"}',
  '/write_file {"name":"a.txt","content":"b"}',
  '/read_file {"name":"a.txt"}',
];

async function newTurn(lines: readonly string[] = commands): Promise<Execution> {
  const { body } = await app.start(lines.join("\n"), { gummie_id: "agent_offline" });
  const { execution_id } = await app.context.store.db
    .selectFrom("interactions")
    .select("execution_id")
    .where("id", "=", body.interaction_id)
    .executeTakeFirstOrThrow();
  const execution = await readExecution(app.context.store.db, execution_id);
  if (execution === undefined) throw new Error("there is no execution");
  return execution;
}

async function whatIsThere({ subjectId }: Execution) {
  const { body } = await app.call("kim", "GET", `/agent_status/${subjectId}?user_id=user_kim`);
  const artifacts = await app.call("kim", "GET", `/artifacts?session_id=${subjectId}`);
  const [user, assistant, ...more] = body.messages;
  return {
    state: body.state,
    messages: [user.role, assistant.role, ...more],
    parts: assistant.parts.map(
      (part: { type: string; toolCallState?: string }) => `${part.type} ${part.toolCallState ?? ""}`,
    ),
    response: body.response.replaceAll(/(art|run)_\w+/g, "$1"),
    files: artifacts.body.artifacts.map((one: { filename: string; major_version: number }) => [
      one.filename,
      one.major_version,
    ]),
  };
}

describe("S-04: a turn that is cut off at any of its writes", () => {
  it("ends as if nothing had happened, with each file and each part once", async () => {
    const undisturbed = await newTurn();
    const { writes } = await live(undisturbed, null);
    const expected = await whatIsThere(undisturbed);
    expect(expected.state).toBe("COMPLETED");
    expect(expected.files).toEqual([["a.txt", 2]]);
    expect(writes).toBeGreaterThanOrEqual(7);
    for (let at = 1; at <= writes; at++) {
      for (const when of ["before", "after"] as const) {
        const execution = await newTurn();
        const { outcome } = await live(execution, { at, when });
        expect([at, when, outcome.type]).toEqual([at, when, "done"]);
        expect(await whatIsThere(execution)).toEqual(expected);
      }
    }
  });
});

describe("what others learn of", () => {
  it("is asked for when the answer is recorded that wants it", async () => {
    const recorded: (readonly string[])[] = [];
    const execution = await newTurn(['/http_get {"url":"https://example.com/"}']);
    const { outcome } = await live(execution, null, (keys) => recorded.push(keys));
    expect(outcome.type).toBe("done");
    expect(recorded).toEqual([["model 1"]]);
  });
});
