import type { endpoints } from "../../contract/endpoints.ts";
import { ownerOf, seenAgent } from "../agents/agent-rows.ts";
import { showPerson } from "../agents/agent-view.ts";
import { floorsOf } from "../agents/approvals/rules.ts";
import { candidatesOf, operatorsOf } from "../permission/answerers.ts";
import { answerItem } from "./answer-item.ts";
import type { Handlers } from "./handler.ts";
import { countWaiting, inboxPage } from "./inbox-list.ts";
import { seenSources, showSourceItem } from "./inbox-source.ts";
import { showEntries, showItem } from "./inbox-view.ts";
import { seenItem } from "./seen-item.ts";

type Inbox = Pick<
  Handlers<typeof endpoints>,
  "listInbox" | "countInbox" | "getInboxItem" | "answerInboxItem" | "getAgentApprovals"
>;

/** Own: what agents and flows asked people, and sources that wait for an approval, of what the caller may see. */
const listInbox: Inbox["listInbox"] = async (context, { caller, query }) => {
  const { store, approvals } = context;
  const page = await inboxPage(store.db, caller, approvals.operators, query);
  const items = await showEntries(context, caller, page.entries);
  return { type: "body", body: { items, next_cursor: page.next_cursor } };
};

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

export const inbox: Inbox = {
  listInbox,
  countInbox,
  getInboxItem,
  answerInboxItem: answerItem,
  getAgentApprovals,
};
