import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";
import type { StoredPart } from "./parts.ts";

/** One message as it is stored. */
export interface StoredMessage {
  readonly seq: number;
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string | null;
  readonly createdAt: Date;
  readonly parts: readonly StoredPart[];
}

/** How many turns came before a message of a person, by its `seq`: each has two messages, the person's first. */
export const turnsBefore = (seq: number): number => (seq - 1) / 2;

/** When calls of a message began, by the ids of their parts; of those that have begun. */
export async function readStarts(
  db: Kysely<Database>,
  { interactionId, seq }: { readonly interactionId: string; readonly seq: number },
): Promise<{ readonly id: string; readonly started_at: string }[]> {
  const { rows } = await sql<{ id: string; started_at: string }>`
    select part->>'id' as id, part->>'started_at' as started_at from message_parts
     where interaction_id = ${interactionId} and message_seq = ${seq}
       and part->>'type' = 'tool_invocation' and part->>'started_at' is not null`.execute(db);
  return rows;
}

/** A conversation whose turns before `before` another one holds; `before` is a message's `seq`. */
export interface CopiedPart {
  readonly id: string;
  readonly before: number;
}

/** Where what a conversation holds was said and done first: itself, and what it is a copy of, and so on. */
export async function copiedParts(db: Kysely<Database>, id: string): Promise<CopiedPart[]> {
  const { rows } = await sql<CopiedPart>`
    with recursive part as (
      select ${id}::text as id, ${2 ** 31 - 1}::integer as before
      union all
      select origin_id, least(before_seq, before) from part join conversation_copies on copy_id = part.id
    )
    select id, before from part`.execute(db);
  return rows;
}

/** When a turn was asked for and when it ended, which is null while it goes on. */
export interface TurnTimes {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** The times of a conversation's turns, by the `seq` of their answers. */
export async function readTurnTimes(
  db: Kysely<Database>,
  parts: readonly CopiedPart[],
): Promise<ReadonlyMap<number, TurnTimes>> {
  const rows = await db
    .selectFrom("executions")
    .select(["subject_id", "created_at", "finished_at"])
    .select(sql<number>`(input->>'messageSeq')::integer`.as("question"))
    .where("subject_id", "=", sql<string>`any(${parts.map(({ id }) => id)}::text[])`)
    .where("kind", "=", "turn")
    .execute();
  const taken = rows.filter(({ subject_id, question }) =>
    parts.some(({ id, before }) => id === subject_id && question < before),
  );
  return new Map(
    taken.map(({ created_at, finished_at, question }) => [
      question + 1,
      { startedAt: created_at, finishedAt: finished_at },
    ]),
  );
}
