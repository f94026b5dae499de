/** What other areas may use of this one. */
export { FirstMessage } from "./FirstMessage.tsx";
export { type Conversation, createConversationModel, type MessageIn, type Row } from "./model.ts";
export { conversationPages, interactionQueries, type SessionFilters, type SessionIn } from "./queries.ts";
export { messagesOf } from "./useConversation.ts";
export { textOf } from "./useFind.ts";
