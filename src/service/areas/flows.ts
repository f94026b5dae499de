import { type RawBuilder, type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { SavedItem } from "../../contract/flows.ts";
import { resolveActor, teamsOf } from "../permission/actor.ts";
import { mayUseSavedItem } from "../permission/owned.ts";
import { inputsOf } from "../pipelines/definition.ts";
import { flowOwner } from "../pipelines/find-flow.ts";
import { hasWebhook } from "../pipelines/run-input.ts";
import { ServiceError } from "../service-error.ts";
import { readFitting } from "../store/read-fitting.ts";
import type { SavedItemsTable } from "../store/schema.ts";
import type { Handlers } from "./handler.ts";
import { replyWithList } from "./long-list.ts";
import { timestamp } from "./times.ts";

type Flows = Pick<Handlers<typeof endpoints>, "listSavedItems" | "getInputs">;

/** Public ("History, teams, sessions"): the flows that the caller may start, by name; `project_id` narrows to that team. */
const listSavedItems: Flows["listSavedItems"] = async ({ store }, { caller, query, ifNoneMatch }) => {
  const actor = resolveActor(caller, query, "never");
  const teams = query.project_id === undefined ? teamsOf(caller) : [query.project_id];
  const sorted = store.db
    .selectFrom("saved_items")
    .select(["id", "user_id", "team_id", sql<string>`xmin::text`.as("mark")])
    .where("removed_at", "is", null)
    .where((where) => {
      const own = where.and([where("team_id", "is", null), where("user_id", "=", actor.userId ?? "")]);
      return where.or([own, ...(teams.length > 0 ? [where("team_id", "in", [...teams])] : [])]);
    })
    .orderBy("name")
    .orderBy("id");
  // Asked again of each row as it is read: a flow may have been moved to another team meanwhile.
  const isSeen = (row: { readonly user_id: string; readonly team_id: string | null }) =>
    (query.project_id === undefined || row.team_id === query.project_id) &&
    mayUseSavedItem(caller, actor, flowOwner(row));
  const flows = await replyWithList({
    name: "saved_items",
    ifNoneMatch,
    async readPage() {
      const seen = (await sorted.execute()).filter(isSeen);
      return { ids: seen.map(({ id }) => id), marks: seen.map(({ mark }) => mark) };
    },
    async readItems({ ids }, from) {
      const { rows, next } = await readFitting<FlowRow>(store, ids, from, allFlows);
      return { items: rows.filter(isSeen).map(showFlow), next };
    },
    readMarks: async ({ marks }) => marks,
  });
  return flows.type === "whole" ? { type: "body", body: { saved_items: flows.items } } : flows;
};

type FlowRow = Pick<
  Selectable<SavedItemsTable>,
  "id" | "name" | "description" | "created_at" | "user_id" | "team_id"
>;

const allFlows = (looked: RawBuilder<unknown>) => ({
  rows: sql`
    select id, name, description, created_at, user_id, team_id, place,
           octet_length(concat(id, name)) + coalesce(octet_length(description), 0) as texts
      from ${looked} join saved_items on saved_items.id = looked_id
     where removed_at is null`,
  packed: [],
});

function showFlow(row: FlowRow): SavedItem {
  return {
    saved_item_id: row.id,
    name: row.name,
    description: row.description === "" ? null : row.description,
    created_ts: timestamp(row.created_at),
  };
}

/** Public: the named inputs of a flow, in the order of the flow. */
const getInputs: Flows["getInputs"] = async (context, { caller, query }) => {
  const actor = resolveActor(caller, query, "never");
  const flow = await context.flows.find(query.saved_item_id);
  if (!flow || !mayUseSavedItem(caller, actor, flow.owner)) throw noFlow();
  const inputs = inputsOf(flow.definition).map(({ name, config }) => ({
    name,
    data_type: config.data_type,
    description: config.description ?? null,
    required: config.required,
    ...(config.default !== undefined && { default: config.default }),
  }));
  return { type: "body", body: { inputs, webhook: hasWebhook(flow.definition) } };
};

/** The same answer for a flow that is not there and one that is not the caller's. */
export function noFlow(): ServiceError {
  return new ServiceError("not_found", { message: "There is no such saved item.", param: "saved_item_id" });
}

export const flowHandlers: Flows = { listSavedItems, getInputs };
