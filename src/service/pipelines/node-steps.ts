import { sql } from "kysely";
import type { JsonValue } from "../json.ts";
import type { ExecutionState, StepState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { StepFacts } from "./node-states.ts";

/** What a run knows of its nodes, as it is stored. */
export interface StoredNodes {
  readonly steps: readonly StepFacts[];
  /** Of `each`, by node: how many of its items are done. Their steps are left out. */
  readonly itemsDone: ReadonlyMap<string, number>;
}

interface StepRow {
  readonly key: string;
  readonly state: StepState;
  readonly error: string | null;
  readonly wake_at: Date | null;
  readonly child_id: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly output: JsonValue;
  readonly is_large: boolean;
}

/** Outputs up to this size come with their steps: marks, branches of conditions. As stored, in bytes. */
const smallOutput = 200;

const columns = sql`key, state, error, wake_at, child_id, created_at, finished_at,
       case when pg_column_size(output) <= ${sql.lit(smallOutput)} then output end as output,
       coalesce(pg_column_size(output) > ${sql.lit(smallOutput)}, false) as is_large`;

/** All that `nodeStates` needs, without what is large and without what is over inside `each`. */
export async function readNodeSteps({ db }: Store, runId: string): Promise<StoredNodes> {
  const { rows } = await sql<StepRow>`
    select ${columns} from steps
     where execution_id = ${runId} and (state <> 'done' or key !~ '^[^/]+/[0-9]+(/|$)')
  `.execute(db);
  const counted = await sql<{ node: string; done: number }>`
    select split_part(key, '/', 1) as node, count(*)::integer as done from steps
     where execution_id = ${runId} and state = 'done' and key ~ '^[^/]+/[0-9]+$' group by 1
  `.execute(db);
  return {
    steps: rows.map(toFacts),
    itemsDone: new Map(counted.rows.map(({ node, done }) => [node, done])),
  };
}

/** The steps of one node, with those of its items. */
export async function readStepsBelow(
  { db }: Store,
  runId: string,
  nodeId: string,
): Promise<readonly StepFacts[]> {
  const { rows } = await sql<StepRow>`
    select ${columns} from steps
     where execution_id = ${runId} and (key = ${nodeId} or split_part(key, '/', 1) = ${nodeId})
  `.execute(db);
  return rows.map(toFacts);
}

/** Of the whole output of a step, as text. */
export async function readOutputBytes({ db }: Store, runId: string, key: string): Promise<number> {
  const row = await db
    .selectFrom("steps")
    .select(sql<number | null>`octet_length(output::text)`.as("bytes"))
    .where("execution_id", "=", runId)
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Of what a run began with and ended with, as text. */
export async function readRunBytes(store: Store, runId: string): Promise<number> {
  const [row] = await store.query<{ bytes: number }>({
    name: "run_bytes",
    text: `select octet_length(input::text) + coalesce(octet_length(result::text), 0) as bytes
             from executions where id = $1`,
    values: [runId],
  });
  return row?.bytes ?? 0;
}

/** The whole output of a step; null also where there is none. */
export async function readStepOutput({ db }: Store, runId: string, key: string): Promise<JsonValue> {
  const row = await db
    .selectFrom("steps")
    .select("output")
    .where("execution_id", "=", runId)
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.output ?? null;
}

/** One output of a run that is done; undefined where it has none of this name. */
export async function readRunOutput(
  { db }: Store,
  runId: string,
  name: string,
): Promise<JsonValue | undefined> {
  const { rows } = await sql<{ value: JsonValue }>`
    select result -> 'outputs' -> ${name}::text as value from executions
     where id = ${runId} and (result -> 'outputs')::jsonb ? ${name}::text
  `.execute(db);
  return rows[0]?.value;
}

/** What a node has started: a run, or a turn of a conversation. */
export interface StartedByNode {
  readonly id: string;
  readonly kind: string;
  /** The flow, or the conversation. */
  readonly subject_id: string;
  /** Of the conversation; null for a run. */
  readonly agent_id: string | null;
  readonly state: ExecutionState;
  readonly started_at: Date | null;
}

/** By id. */
export async function readStarted(
  store: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StartedByNode>> {
  if (ids.length === 0) return new Map();
  const rows = await store.query<StartedByNode>({
    name: "started_by_nodes",
    text: `select executions.id, executions.kind, subject_id, executions.state, started_at, agent_id
             from executions
             left join interactions on interactions.id = subject_id and executions.kind <> 'pipeline'
            where executions.id = any($1)`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

function toFacts(row: StepRow): StepFacts {
  return {
    key: row.key,
    state: row.state,
    error: row.error,
    wakeAt: row.wake_at,
    childId: row.child_id,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    output: row.is_large ? undefined : row.output,
  };
}
