/** What other areas may use of this one. */
export { FirstMessage } from "./FirstMessage.tsx";
export { conversationPages, interactionQueries, type SessionFilters, type SessionIn } from "./queries.ts";
