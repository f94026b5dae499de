import { type RawBuilder, sql } from "kysely";
import { forgetConversations } from "../agents/erase-conversations.ts";
import type { Tx } from "../store/store.ts";
import { leaveTombstones, ownerAudiences } from "../store/tombstones.ts";
import { heldTrees, isHeldConversation } from "./held.ts";
import { removeTrees } from "./remove-trees.ts";
import { daysOf, goesBefore, type RetentionRules } from "./rules.ts";
import { type Batch, nextEnded, positionAfter, type WalkPosition } from "./walk.ts";

/** Turns looked at in one transaction: most of them are a conversation. */
const looked = 50;

/**
 * A conversation of which nothing has been said for too long, as a condition on `interactions i`. What a person has deleted
 * is erased first (src/service/agents/erase-conversations.ts), and what is left of it then stays for its artifacts.
 */
export function isOldConversation({ conversations }: RetentionRules): RawBuilder<boolean> {
  return sql<boolean>`(i.state <> 'processing' and i.updated_at < ${goesBefore(conversations, "i.team_id")}
    and (i.deleted_at is null or i.erased_at is not null
         and not exists (select from artifacts a where a.interaction_id = i.id)))`;
}

/** Nothing that stays is part of it, as a condition on `interactions i`. @param roots of the trees of its turns */
export function isFreeConversation(roots: readonly string[] | null): RawBuilder<boolean> {
  return sql<boolean>`(not ${isHeldConversation(sql`i.id`)}
    and not exists (select from executions turn
                     where turn.subject_id = i.id and turn.kind = 'turn'
                       -- A run has it: the run goes first.
                       and (turn.parent_id is not null or turn.root_id in (${heldTrees(roots)})) offset 0)
    and not exists (select from executions judging
                     where judging.subject_id = i.id and judging.kind = 'evaluation' and judging.finished_at is null
                    offset 0))`;
}

interface Going {
  readonly id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly erased_at: Date | null;
}

/**
 * Deletes the next conversations that are too old: what was said, what it was worth, and the runs that the agent started.
 * Artifacts stay, with a row without words that they name, as if a person had deleted the conversation.
 */
export async function removeConversations(
  tx: Tx,
  rules: RetentionRules,
  after: WalkPosition | null,
): Promise<Batch<WalkPosition>> {
  const ended = await nextEnded(tx, rules, ["conversations"], after, looked);
  const next = positionAfter(ended, looked);
  const turns = ended.filter(({ kind }) => kind === "turn").map(({ id }) => id);
  const { rows: locked } = await sql<{ id: string }>`
    select i.id from interactions i where i.execution_id = any(${turns}::text[]) and ${isOldConversation(rules)}
     for update skip locked`.execute(tx);
  const { rows: trees } = await sql<{ id: string }>`
    select id from executions where kind = 'turn' and subject_id = any(${locked.map(({ id }) => id)}::text[])
     for update`.execute(tx);
  const { rows: free } = await sql<Going>`
    select i.id, i.user_id, i.team_id, i.erased_at from interactions i where i.id = any(${locked.map(({ id }) => id)}::text[])
       and ${isFreeConversation(trees.map(({ id }) => id))}`.execute(tx);
  const ids = free.map(({ id }) => id);
  if (ids.length === 0) return { removed: 0, fileIds: [], next };
  const { rows: over } = await sql<{ id: string; team_id: string | null }>`
    select id, team_id from executions
     where kind in ('turn', 'evaluation') and subject_id = any(${ids}::text[])`.execute(tx);
  await forgetConversations(tx, ids);
  const ruleDays = (teamId: string | null) => daysOf(rules.conversations, teamId);
  // Of what was erased before there is one already.
  await leaveTombstones(
    tx,
    free
      .filter(({ erased_at }) => erased_at === null)
      .map((one) => {
        return { id: one.id, audiences: ownerAudiences(one), ruleDays: ruleDays(one.team_id), at: null };
      }),
  );
  const { fileIds } = await removeTrees(tx, new Map(over.map(({ id, team_id }) => [id, ruleDays(team_id)])));
  await sql`
    delete from interactions i where i.id = any(${ids}::text[])
       and not exists (select from artifacts a where a.interaction_id = i.id)`.execute(tx);
  return { removed: ids.length, fileIds, next };
}

/** Evaluations deleted in one transaction. */
const leftAtOnce = 250;

/** Deletes evaluations whose conversation retention has taken: releases before S-363 left them behind. */
export async function removeLeftEvaluations(tx: Tx): Promise<Batch<true>> {
  const { rows } = await sql<{ id: string }>`
    select e.id from executions e
     where e.kind = 'evaluation' and e.finished_at is not null
       and not exists (select from interactions i where i.id = e.subject_id and i.erased_at is null)
       -- Of what a person has deleted the turns are there until it is taken.
       and not exists (select from executions turn where turn.subject_id = e.subject_id and turn.kind = 'turn')
     limit ${sql.lit(leftAtOnce)} for update skip locked`.execute(tx);
  if (rows.length === 0) return { removed: 0, fileIds: [], next: null };
  const { fileIds } = await removeTrees(tx, new Map(rows.map(({ id }) => [id, null])));
  return { removed: rows.length, fileIds, next: rows.length < leftAtOnce ? null : true };
}
