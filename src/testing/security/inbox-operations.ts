import type { EndpointName } from "../../contract/endpoints.ts";
import { everybody, noAccess, nothingThere, ofAgent, type Parts, type Question } from "./questions.ts";

const byItem = (id: string): Parts => ({ params: { item_id: id } });

/** The operations of the inbox. */
export const inboxOperations = {
  listInbox: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  countInbox: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  getInboxItem: [{ object: "interaction", asks: byItem, rows: nothingThere }],
  answerInboxItem: [
    {
      object: "interaction",
      asks: (id) => ({ ...byItem(id), body: { answer: "approve" } }),
      rows: nothingThere,
    },
  ],
  getAgentApprovals: [ofAgent],
} as const satisfies Partial<Record<EndpointName, readonly [Question, ...Question[]]>>;
