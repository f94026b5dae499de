import type { endpoints } from "../../contract/endpoints.ts";
import { seenAgent } from "../agents/agent-rows.ts";
import { ServiceError } from "../service-error.ts";
import type { Handlers } from "./handler.ts";

type Inbox = Pick<
  Handlers<typeof endpoints>,
  "listInbox" | "countInbox" | "getInboxItem" | "answerInboxItem" | "getAgentApprovals"
>;

const noItem = () =>
  new ServiceError("not_found", { message: "There is no such question.", param: "item_id" });

/** Own (capability `inbox`): what agents asked people. No turn asks yet. */
export const inbox: Inbox = {
  listInbox: async () => ({ type: "body", body: { items: [], next_cursor: null } }),
  countInbox: async () => ({ type: "body", body: { waiting: 0, oldest_at: null } }),
  getInboxItem: async () => {
    throw noItem();
  },
  answerInboxItem: async () => {
    throw noItem();
  },
  getAgentApprovals: async (context, { caller, params }) => {
    await seenAgent(context, caller, params.agent_id);
    return { type: "body", body: { floors: [], operators: [], candidates: [] } };
  },
};
