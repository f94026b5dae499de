/** What other areas may use of this one. */
export { type Graded, readGraded } from "./grades.tsx";
export { evaluationQueries } from "./queries.ts";
