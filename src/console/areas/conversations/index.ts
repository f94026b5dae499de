/** What other areas may use of this one. */
export { Composer, type Offering, SendError, StarterPrompts } from "./Composer.tsx";
export { type Conversation, createConversationModel, type MessageIn, type Row } from "./model.ts";
export { useSend } from "./mutations.ts";
export { conversationPages, interactionQueries, type SessionFilters, type SessionIn } from "./queries.ts";
export { messagesOf } from "./useConversation.ts";
export { textOf } from "./useFind.ts";
