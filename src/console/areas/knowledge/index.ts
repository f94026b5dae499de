/** What other areas may use of this one. */
export { creditWords, type SourceIn, sourceName, useSources } from "./sources.ts";
