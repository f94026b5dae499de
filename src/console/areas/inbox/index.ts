/** What other areas may use of this one. */
export { inboxQueries, type QuestionIn, questionPages } from "./queries.ts";
export { agentName, serverWords, toolName } from "./questions.ts";
