import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import { teamsOf } from "./actor.ts";
import { readableExecutions } from "./executions.ts";
import { hasRight } from "./roles.ts";

/** Who answers for a team, where it names some of its members. */
export type Operators = ReadonlyMap<string, readonly string[]>;

/** Whether this member answers for this team. */
export function isOperator(operators: Operators, teamId: string, userId: string): boolean {
  return operators.get(teamId)?.includes(userId) ?? true;
}

/** Whose the agent or flow of a question is: a row, or none where there is no such thing. */
export const askers = (agentId: RawBuilder<unknown>, flowId: RawBuilder<unknown>) => sql<{
  owner_id: string;
  team_id: string | null;
}>`(select agents.owner_id, agents.team_id from agents where agents.id = ${agentId}
    union all select saved_items.user_id, saved_items.team_id from saved_items where saved_items.id = ${flowId})`;

/**
 * Some of the questions that somebody may see, as a list reads them: those of an index of `approvals`, or those that name a
 * person (`approval_people`), each in its order.
 */
export interface QuestionBranch {
  /** On `approvals`. */
  readonly condition: RawBuilder<boolean>;
  /** Whom the questions name; null where the condition has an index itself. */
  readonly named: string | null;
}

/**
 * The questions that the caller may answer, none for a team's key: a person has to decide. Whom an agent or flow names must
 * still be of its team, or share one with its owner.
 */
export function answerableBy(caller: Caller, operators: Operators): readonly QuestionBranch[] {
  if (caller.kind === "team") return [];
  const { userId } = caller;
  const mine = caller.teamIds.filter((team) => hasRight(caller, team, "operate"));
  const teams = sql`${mine}::text[]`;
  const operated = mine.filter((team) => isOperator(operators, team, userId));
  const person = sql<boolean>`(approvals.who = 'person' and approvals.user_id = ${userId}
      and (approvals.team_id is null or approvals.team_id = any(${teams})))`;
  const ofTeams = operated.map(
    (team) => sql<boolean>`(approvals.who = 'operators' and approvals.team_id = ${team})`,
  );
  const people = sql<boolean>`(approvals.who = 'people' and approvals.people @> array[${userId}]::text[] and exists (
      select from ${askers(sql`approvals.agent_id`, sql`approvals.flow_id`)} asker (owner_id, team_id) where case
        when asker.team_id is not null then asker.team_id = any(${teams})
        else asker.owner_id = ${userId} or exists (
          select from active_members where user_id = asker.owner_id and team_id = any(${teams})) end))`;
  return [...[person, ...ofTeams].map(indexed), { condition: people, named: userId }];
}

const indexed = (condition: RawBuilder<boolean>): QuestionBranch => ({ condition, named: null });

/** The same as one condition. */
export function mayAnswer(caller: Caller, operators: Operators): RawBuilder<boolean> {
  return anyOf(answerableBy(caller, operators).map(({ condition }) => condition));
}

/** The questions that the caller may see: of conversations and runs that they may read, and those that they may answer. */
export function seenBy(caller: Caller, operators: Operators): readonly QuestionBranch[] {
  const own = caller.kind === "team" ? [] : [sql<boolean>`approvals.user_id = ${caller.userId}`];
  const teams = [...new Set(teamsOf(caller))].map((team) => sql<boolean>`approvals.team_id = ${team}`);
  return [...[...own, ...teams].map(indexed), ...answerableBy(caller, operators).slice(-1)];
}

/** Whether the caller may see one. */
export function maySeeApproval(caller: Caller, operators: Operators): RawBuilder<boolean> {
  return sql<boolean>`(${readableExecutions(caller, "approvals")} or ${mayAnswer(caller, operators)})`;
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}
