/** What other areas may use of this one. */
export { type ApprovalIn, ApprovalNote } from "./ApprovalNote.tsx";
export { checkTyped, shownFields, type Typed } from "./form.ts";
export { QuestionFields } from "./QuestionFields.tsx";
export { inboxQueries, type QuestionIn, waitingForMe } from "./queries.ts";
export { agentName, inputWords, isSource, serverWords, toolName } from "./questions.ts";
export { ServerWords } from "./ServerQuestion.tsx";
