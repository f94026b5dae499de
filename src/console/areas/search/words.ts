import { counted } from "../../lib/words.ts";
import type { SearchState } from "./search-run.ts";
import type { Targets } from "./useTargets.ts";

/** What of a kind of object is looked through: "the newest 50 runs"; null for none. */
export function reachWords({ list, hasMore, isListed }: Targets, one: string): string | null {
  const { length } = list;
  if (length === 0) return null;
  const which = isListed ? "" : ", as far as this browser knows";
  if (hasMore) return `the newest ${counted(length, one)}`;
  return length === 1 ? `the one ${one}${which}` : `all ${counted(length, one)}${which}`;
}

/** How far a search has come, in numbers. */
export interface Progress {
  readonly of: number;
  readonly done: number;
  readonly failed: number;
  readonly lines: number;
  readonly places: number;
  readonly isOver: boolean;
}

/** @param isListing more may come to look through */
export function progressOf({ looked, artifacts, end }: SearchState, isListing: boolean): Progress {
  const done = looked.filter(({ status }) => status === "done").length;
  const failed = looked.filter(({ status }) => status === "failed").length;
  const isAtArtifacts = artifacts !== null && artifacts.status !== "done" && artifacts.status !== "failed";
  return {
    of: looked.length,
    done,
    failed,
    lines: looked.reduce((sum, one) => sum + one.lines, 0),
    places: looked.reduce((sum, one) => sum + one.found, artifacts?.found?.rows.length ?? 0),
    isOver: end !== null || (done + failed === looked.length && !isAtArtifacts && !isListing),
  };
}

const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** What is or was looked through, in a sentence. */
export function scopeWords(
  runs: string | null,
  talks: string | null,
  artifacts: SearchState["artifacts"],
): string {
  const { found } = artifacts ?? {};
  const names =
    artifacts === null || artifacts.status === "failed"
      ? null
      : found?.reach === "newest"
        ? "the names of the newest artifacts"
        : found?.agents != null && found.agents > 0
          ? `the names of the artifacts of ${counted(found.agents, "agent")}`
          : "the names of artifacts";
  return listFormat.format([runs, talks, names].filter((one) => one !== null));
}
