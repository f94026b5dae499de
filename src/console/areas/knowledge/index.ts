/** What other areas may use of this one. */
export { creditWords, type SourceIn, sourceName } from "./sources.ts";
export { useSources } from "./useSources.ts";
