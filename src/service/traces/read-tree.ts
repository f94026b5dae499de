import { type Kysely, sql } from "kysely";
import { itemsAtOnce } from "../nodes/each.ts";
import type { JsonValue } from "../store/json.ts";
import type { Database, ExecutionState } from "../store/schema.ts";

/** An execution of a tree whose trace is exported, as far as its spans need it. */
export interface TracedExecution {
  readonly id: string;
  readonly kind: string;
  readonly parent_id: string | null;
  readonly parent_kind: string | null;
  readonly parent_step: string | null;
  readonly subject_id: string;
  readonly state: ExecutionState;
  readonly error: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date;
  /** Of the flow or the agent; null: it is gone. */
  readonly name: string | null;
  /** Of a turn. */
  readonly agent_id: string | null;
  readonly model: string | null;
  readonly message_seq: number | null;
  /** Of a turn that is done: how its last answer ended, and what it cost. */
  readonly finish: string | null;
  readonly usage: JsonValue;
  /** Of a run: in `flow_versions`. */
  readonly version: string | null;
}

/** A step, as far as spans need it. */
export interface TracedStep {
  readonly key: string;
  readonly state: "done" | "failed" | "waiting";
  readonly error: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** Of answers of models, calls of tools and failures of models; null of all others. */
  readonly output: JsonValue;
}

/** Ended executions of the tree, in the order of their ids. @param after the last id before them */
export async function readExecutions(
  db: Kysely<Database>,
  rootId: string,
  after: string,
  count: number,
): Promise<readonly TracedExecution[]> {
  const { rows } = await sql<TracedExecution>`
    select e.id, e.kind, e.parent_id, parent.kind as parent_kind, e.parent_step, e.subject_id, e.state, e.error,
           e.created_at, e.started_at, e.finished_at,
           coalesce(e.input->>'name', agents.name) as name, e.input->>'agentId' as agent_id, e.input->>'model' as model,
           (e.input->>'messageSeq')::integer as message_seq,
           e.result->>'finish' as finish, e.result->'usage' as usage, e.input->>'version' as version
      from executions e
      left join executions parent on parent.id = e.parent_id
      left join agents on agents.id = e.input->>'agentId'
     where e.root_id = ${rootId} and e.id > ${after} and e.finished_at is not null
     order by e.id limit ${count}`.execute(db);
  return rows;
}

/**
 * All steps of an execution. Of an answer of a model what it cost and which calls it asked for, of a call whether it
 * failed; texts, arguments and results only where contents are asked for.
 */
export async function readSteps(
  db: Kysely<Database>,
  executionId: string,
  withContents: boolean,
): Promise<readonly TracedStep[]> {
  // An evaluation settles by whom it is judged as it begins.
  const judge = sql`json_build_object('model', output->'model')`;
  const short = sql`case when key ~ '^model [0-9]+$' then json_build_object(
             'usage', output->'usage', 'finish', output->'finish',
             'toolCalls', (select json_agg(json_build_object('id', call->'id', 'name', call->'name'))
                             from json_array_elements(output->'toolCalls') call))
           when key ~ '^model [0-9]+ failure' then json_build_object('failure', output->'failure')
           when key ~ '^tool [0-9]+ [0-9]+$' then json_build_object('failed', output->'failed')
           when key = 'begin' then ${judge} end`;
  const full = sql`case when key ~ '^(model [0-9]+( failure [0-9]+)?|tool [0-9]+ [0-9]+)$' then output
           when key = 'begin' then ${judge} end`;
  const { rows } = await sql<TracedStep>`
    select key, state, error, created_at, finished_at, ${withContents ? full : short} as output
      from steps where execution_id = ${executionId} order by created_at, key`.execute(db);
  return rows;
}

/** When calls of tools in an answer began and ended, by the ids of their parts; ISO 8601. */
export async function readCallTimes(
  db: Kysely<Database>,
  interactionId: string,
  messageSeq: number,
): Promise<ReadonlyMap<string, { readonly started: string | null; readonly finished: string | null }>> {
  const { rows } = await sql<{ id: string; started: string | null; finished: string | null }>`
    select part->>'id' as id, part->>'started_at' as started, part->>'finished_at' as finished from message_parts
     where interaction_id = ${interactionId} and message_seq = ${messageSeq} and part->>'type' = 'tool_invocation'
  `.execute(db);
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}

/** What was said in a turn: the person's message and the answer. */
export async function readSaid(
  db: Kysely<Database>,
  interactionId: string,
  messageSeq: number,
): Promise<{ readonly question: string | null; readonly answer: string | null }> {
  const rows = await db
    .selectFrom("messages")
    .select(["seq", "content"])
    .where("interaction_id", "=", interactionId)
    .where("seq", "in", [messageSeq, messageSeq + 1])
    .execute();
  const of = (seq: number) => rows.find((row) => row.seq === seq)?.content ?? null;
  return { question: of(messageSeq), answer: of(messageSeq + 1) };
}

/** So many lines of one run at most: a node may say as many as it likes, and few of them are about its beginning and end. */
const mostLines = 20_000;

/** Lines of a run's log that say that something began, ended or waited, in order. */
export async function readMarks(db: Kysely<Database>, runId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from log_lines, regexp_split_to_table(text, E'\n') with ordinality as lines (line, number)
     where execution_id = ${runId}
       and line ~ '^[^ ]+ \\[[A-Za-z][A-Za-z0-9_]*\\] (started$|finished in |failed: |skipped$|tries again in |waiting: |waits: )'
     order by seq, number limit ${mostLines}`.execute(db);
  return rows.map(({ line }) => line);
}

/** What a flow says of one of its nodes, as far as spans need it. */
export interface TracedNode {
  readonly type: string;
  /** Of an `each`: how many items at the same time. Null: it is none. */
  readonly concurrency: number | null;
}

/** The nodes of a flow as it was run, by their ids. */
export async function readNodes(
  db: Kysely<Database>,
  version: string | null,
): Promise<ReadonlyMap<string, TracedNode>> {
  if (version === null) return new Map();
  const { rows } = await sql<TracedNode & { id: string }>`
    select one->>'id' as id, one->'node'->>'type' as type,
           case when one->'node'->>'type' = 'each'
                then coalesce((one->'node'->>'concurrency')::integer, ${itemsAtOnce}) end as concurrency
      from flow_versions, json_array_elements(definition->'nodes') one where hash = ${version}`.execute(db);
  return new Map(rows.map(({ id, type, concurrency }) => [id, { type, concurrency }]));
}

/** A worker had an execution no more. */
export interface Takeover {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `handover`: it gave it back, as it stopped; `takeover`: it had fallen silent. */
  readonly how: "takeover" | "handover";
}

/** When an execution went from one worker to the next, in order. */
export async function readTakeovers(db: Kysely<Database>, executionId: string): Promise<readonly Takeover[]> {
  const rows = await db
    .selectFrom("takeovers")
    .select(["at", "is_handover"])
    .where("execution_id", "=", executionId)
    .orderBy("epoch")
    .execute();
  return rows.map(({ at, is_handover }) => ({
    at: at.getTime(),
    how: is_handover ? "handover" : "takeover",
  }));
}

/** The whole result of an execution, where contents are asked for. */
export async function readResult(db: Kysely<Database>, executionId: string): Promise<JsonValue> {
  const row = await db
    .selectFrom("executions")
    .select("result")
    .where("id", "=", executionId)
    .executeTakeFirst();
  return row?.result ?? null;
}
