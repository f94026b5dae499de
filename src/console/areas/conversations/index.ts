/** What other areas may use of this one. */
export { Composer } from "./Composer.tsx";
export { textOf } from "./find.ts";
export { type Conversation, createConversationModel, type MessageIn, type Row } from "./model.ts";
export { conversationPages, interactionQueries, type SessionFilters, type SessionIn } from "./queries.ts";
export { SendError } from "./SendError.tsx";
export { type Offering, StarterPrompts } from "./StarterPrompts.tsx";
export { messagesOf } from "./useConversation.ts";
export { useSend } from "./useSend.ts";
