import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { teamScope } from "../permission/actor.ts";
import type { Caller, Request } from "./handler.ts";
import { hintScope } from "./hints.ts";
import { type Listed, ownersOf, type Rare } from "./newest.ts";
import { flowName, stateCondition } from "./run-rows.ts";
import { timeOf } from "./times.ts";

type Query = Request<typeof endpoints.listRuns>["query"];

const isRun = sql`executions.kind = 'pipeline'`;

/** The runs that a list asks for, of those that the caller may see. */
export function listedRuns(caller: Caller, query: Query): Listed {
  const scope = teamScope(caller, query.team_id);
  const owners = ownersOf(caller, scope, "executions");
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
  const state = ofStates(query.state?.split(","));
  const search = query.search === undefined ? [] : [contains(query.search)];
  return {
    table: "executions",
    list: "runs:newest",
    branches: branchesOf(state.kinds),
    filters: [...state.filters, ...search],
    rare:
      query.search === undefined
        ? null
        : rareText(query.search, hintScope(caller, scope), branchesOf([isOpen])),
  };
}

const isOpen = sql`executions.finished_at is null`;
const any = sql`true`;

/**
 * Which runs are read in order, and which of them are left out. What failed or was terminated and what is not over yet
 * have indexes of their own; what is done is most.
 */
function ofStates(states: readonly string[] | undefined) {
  if (states === undefined) return { kinds: [any], filters: [] };
  const wanted = new Set(states);
  const filters = [anyOf([...wanted].map(stateCondition))];
  if (wanted.has("DONE")) return { kinds: [any], filters };
  const open = ["STARTED", "RUNNING"].filter((state) => wanted.has(state));
  const kinds = [
    ...["FAILED", "TERMINATED"].filter((state) => wanted.has(state)).map(stateCondition),
    ...(open.length > 0 ? [isOpen] : []),
  ];
  return { kinds, filters: open.length === 1 ? filters : [] };
}

/** The JSON of inputs is taken apart only where it has the text at all, which is much cheaper to see. */
function contains(text: string) {
  const has = (value: RawBuilder<unknown>, part = text) =>
    sql`position(lower(${part}) in lower(${value})) > 0`;
  const hasInput = sql`exists (
    select from json_each_text(executions.input -> 'inputs') as input (name, value) where ${has(sql`input.value`)})`;
  const either = [has(sql`executions.id`), has(flowName), hasInput];
  // Beyond ASCII a letter's lower case may depend on what stands beside it.
  if (!/^\p{ASCII}*$/u.test(text)) return anyOf(either);
  const written = inJson(text).map((part) => has(sql`executions.input::text`, part));
  return sql`(${anyOf([has(sql`executions.id`), ...written])} and ${anyOf(either)})`;
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join([...conditions], sql` or `)})`;

/** How a text stands in JSON: as texts are written there, or as it is, within an object. */
const inJson = (text: string) => [...new Set([text, JSON.stringify(text).slice(1, -1)])];

/**
 * The index has letters and digits of ASCII in every database, others not in all: it finds a text that has three of them
 * in a row. It is made of the inputs' JSON, where a text is written as in JSON, or as it is, within an object.
 */
function rareText(text: string, within: string, beside: Rare["beside"]): Rare | null {
  if (!/[a-z0-9]{3}/i.test(text)) return null;
  const patterns = inJson(text).map((part) => `%${part.replace(/[\\%_]/g, "\\$&")}%`);
  const searched = sql`lower(executions.id || ' ' || coalesce(executions.input ->> 'name', '') || ' '
    || coalesce(executions.input ->> 'inputs', ''))`;
  // Asked for as a value that is not known beforehand, so that one plan serves all texts.
  const either = anyOf(patterns.map((pattern) => sql`${searched} like (select lower(${pattern}))`));
  return {
    index: "executions_text",
    ...{ text, within },
    found: sql`${isRun} and executions.finished_at is not null and ${either}`,
    beside,
  };
}
