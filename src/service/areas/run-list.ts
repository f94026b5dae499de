import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { teamScope } from "../permission/actor.ts";
import type { Caller, Request } from "./handler.ts";
import { type Listed, ownersOf, type Rare } from "./newest.ts";
import { flowName, stateCondition } from "./run-rows.ts";
import { timeOf } from "./times.ts";

type Query = Request<typeof endpoints.listRuns>["query"];

const isRun = sql`executions.kind = 'pipeline'`;

/** The runs that a list asks for, of those that the caller may see. */
export function listedRuns(caller: Caller, query: Query): Listed {
  const owners = ownersOf(caller, teamScope(caller, query.team_id), "executions");
  const range = [
    ...(query.saved_item_id === undefined ? [] : [sql`executions.subject_id = ${query.saved_item_id}`]),
    ...(query.created_after === undefined
      ? []
      : [sql`executions.created_at >= ${timeOf(query.created_after)}`]),
    ...(query.created_before === undefined
      ? []
      : [sql`executions.created_at < ${timeOf(query.created_before)}`]),
  ];
  const branchesOf = (kinds: readonly RawBuilder<unknown>[]) =>
    owners.flatMap((owner) => kinds.map((kind) => sql.join([isRun, owner, kind, ...range], sql` and `)));
  const state = ofStates(query.state?.split(","), query.saved_item_id !== undefined);
  const search = query.search === undefined ? [] : [contains(query.search)];
  return {
    table: "executions",
    list: "runs:newest",
    branches: branchesOf(state.kinds),
    filters: [...state.filters, ...search],
    rare: query.search === undefined ? null : rareText(query.search, branchesOf([isOpen])),
  };
}

const isOpen = sql`executions.finished_at is null`;
const any = sql`true`;

/**
 * Which runs are read in order, and which of them are left out. What failed or was terminated and what is not over yet
 * have indexes of their own; what is done is most.
 * @param ofFlow the runs of one flow are read, which have one index for all states
 */
function ofStates(states: readonly string[] | undefined, ofFlow: boolean) {
  if (states === undefined) return { kinds: [any], filters: [] };
  const wanted = new Set(states);
  const filters = [sql`(${sql.join([...wanted].map(stateCondition), sql` or `)})`];
  const isEnded = ["DONE", ...(ofFlow ? ["FAILED", "TERMINATED"] : [])].some((state) => wanted.has(state));
  if (isEnded) return { kinds: [any], filters };
  const open = ["STARTED", "RUNNING"].filter((state) => wanted.has(state));
  const kinds = [
    ...["FAILED", "TERMINATED"].filter((state) => wanted.has(state)).map(stateCondition),
    ...(open.length > 0 ? [isOpen] : []),
  ];
  return { kinds, filters: open.length === 1 ? filters : [] };
}

function contains(text: string) {
  const has = (value: RawBuilder<unknown>) => sql`position(lower(${text}) in lower(${value})) > 0`;
  return sql`(${has(sql`executions.id`)} or ${has(flowName)} or exists (
    select from json_each_text(executions.input -> 'inputs') as input (name, value) where ${has(sql`input.value`)}))`;
}

/**
 * The index has letters and digits of ASCII in every database, others not in all: it finds a text that has three of them
 * in a row. It is made of the inputs' JSON, where a text is written as in JSON, or as it is, within an object.
 */
function rareText(text: string, beside: Rare["beside"]): Rare | null {
  if (!/[a-z0-9]{3}/i.test(text)) return null;
  const patterns = [...new Set([text, JSON.stringify(text).slice(1, -1)])].map(
    (part) => `%${part.replace(/[\\%_]/g, "\\$&")}%`,
  );
  const searched = sql`lower(executions.id || ' ' || coalesce(executions.input ->> 'name', '') || ' '
    || coalesce(executions.input ->> 'inputs', ''))`;
  const either = sql.join(
    patterns.map((pattern) => sql`${searched} like lower(${pattern})`),
    sql` or `,
  );
  return {
    index: "executions_text",
    found: sql`${isRun} and executions.finished_at is not null and (${either})`,
    beside,
  };
}
