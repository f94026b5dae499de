import { type Excerpt, findIn } from "./excerpt.ts";
import { inTurns } from "./in-turns.ts";
import type { PlacedText } from "./places.ts";

/** Of one thing that was found so many places are shown. */
const mostPlaces = 5;

/** A place with what was found in it. */
export type FoundPlace = Omit<PlacedText, "text"> & Excerpt;

export interface Matches {
  /** The first ones. */
  readonly places: readonly FoundPlace[];
  /** All of them. */
  readonly count: number;
}

/**
 * Which of these places have it: what the index says is looked at again, in what is there now. Long texts are looked at in
 * steps, between which all else has its turn.
 * @param wanted folded
 */
export async function matchesIn(all: readonly PlacedText[], wanted: string): Promise<Matches> {
  const places: FoundPlace[] = [];
  let count = 0;
  for (const { text, ...place } of all) {
    const found = await inTurns(findIn(text, wanted));
    if (found === null) continue;
    count += 1;
    if (places.length < mostPlaces) places.push({ ...place, ...found });
  }
  return { places, count };
}
