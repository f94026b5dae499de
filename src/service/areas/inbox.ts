import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { ownerOf, seenAgent } from "../agents/agent-rows.ts";
import { showPerson } from "../agents/agent-view.ts";
import { floorsOf } from "../agents/approvals/rules.ts";
import { candidatesOf, operatorsOf } from "../permission/answerers.ts";
import { readFitting } from "../store/read-fitting.ts";
import { answerItem } from "./answer-item.ts";
import type { Handlers } from "./handler.ts";
import { countWaiting, inboxPage } from "./inbox-list.ts";
import { seenSources, showSourceItem } from "./inbox-source.ts";
import { showEntries, showItem } from "./inbox-view.ts";
import { replyWithList } from "./long-list.ts";
import { seenItem } from "./seen-item.ts";

type Inbox = Pick<
  Handlers<typeof endpoints>,
  "listInbox" | "countInbox" | "getInboxItem" | "answerInboxItem" | "getAgentApprovals"
>;

/** Own: what agents and flows asked people, and sources that wait for an approval, of what the caller may see. */
const listInbox: Inbox["listInbox"] = async (context, { caller, query, ifNoneMatch }) => {
  const { store, approvals } = context;
  const inbox = await replyWithList({
    name: "items",
    ifNoneMatch,
    async readPage() {
      const page = await inboxPage(store.db, caller, approvals.operators, query);
      return { ...page, ids: page.entries.map(({ id }) => id) };
    },
    async readItems({ ids, entries }, from) {
      const { next } = await readFitting(store, ids, from, answers);
      return { items: await showEntries(context, caller, entries.slice(from, next), "listed"), next };
    },
    readMarks: async ({ entries }) =>
      (await showEntries(context, caller, entries, "marked")).map((item) => JSON.stringify(item)),
  });
  if (inbox.type !== "whole") return inbox;
  return { type: "body", body: { items: inbox.items, next_cursor: inbox.page.next_cursor } };
};

/** What people answered, which alone is long; that of a source is short. Each is looked up by its id, whatever the planner expects. */
const answers = (looked: RawBuilder<unknown>) => ({
  rows: sql`
    select id, place, coalesce(octet_length(edited_arguments), 0) + coalesce(octet_length(reason), 0) as texts, form_values
      from ${looked} left join lateral (select * from approvals where id = looked_id offset 0) answered on true`,
  packed: ["form_values"],
  columns: ["id"],
});

const countInbox: Inbox["countInbox"] = async ({ store, approvals }, { caller }) => {
  const { waiting, oldest } = await countWaiting(store.db, caller, approvals.operators);
  return { type: "body", body: { waiting, oldest_at: oldest?.toISOString() ?? null } };
};

const getInboxItem: Inbox["getInboxItem"] = async (context, { caller, params }) => {
  const [source] = await seenSources(context, caller, [params.item_id]);
  if (source) return { type: "body", body: { item: await showSourceItem(context, caller, source) } };
  const row = await seenItem(context, caller, params.item_id);
  return { type: "body", body: { item: await showItem(context, caller, row) } };
};

const getAgentApprovals: Inbox["getAgentApprovals"] = async (context, { caller, params }) => {
  const { approvals, store } = context;
  const agent = await seenAgent(context, caller, params.agent_id);
  const { teamId } = ownerOf(agent);
  const operators = teamId === null ? [] : await operatorsOf(store.db, approvals.operators, teamId);
  return {
    type: "body",
    body: {
      floors: floorsOf(approvals, [teamId]).map((floor) => {
        return { tools: floor.tools, at_least: floor.atLeast, team_id: floor.teamId };
      }),
      operators: operators.map(showPerson),
      candidates: (await candidatesOf(store.db, { agentId: agent.id })).map(showPerson),
    },
  };
};

export const inboxHandlers: Inbox = {
  listInbox,
  countInbox,
  getInboxItem,
  answerInboxItem: answerItem,
  getAgentApprovals,
};
