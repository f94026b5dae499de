/** What other areas may use of this one. */
export { Composer, type Offering, SendError, StarterPrompts } from "./Composer.tsx";
export { useSend } from "./mutations.ts";
export { conversationPages, interactionQueries, type SessionFilters, type SessionIn } from "./queries.ts";
