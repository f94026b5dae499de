/** What other areas may use of this one. */
export { type Graded, readGraded } from "./graded.ts";
export { evaluationQueries } from "./queries.ts";
