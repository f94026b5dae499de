import type { Excerpt, SearchQuery } from "./excerpt.ts";

/** What of a run, a conversation or the artifacts is looked through. */
export type SearchKind = "inputs" | "outputs" | "log" | "messages" | "tools" | "artifacts";

/** A text to look through. */
export interface Field {
  readonly kind: SearchKind;
  /** Where it is: the name of an input or output, the part of a conversation, the id of an artifact. */
  readonly at: string;
  /** What it is called beside a hit. */
  readonly label: string;
  readonly text: string;
}

/** One place that has what is looked for. */
export interface Hit extends Excerpt {
  readonly kind: SearchKind;
  /** As of its field; for a line of a log its number, from 1. */
  readonly at: string;
  readonly label: string;
  /** How many lines of this place have it. */
  readonly lines: number;
}

/** What the reading of a run told of it. */
export interface HeldRun {
  readonly state: string | null;
  /** Lines of its log. */
  readonly lines: number;
}

/** How much was looked through in one object. */
export interface LookedThrough {
  readonly lines: number;
  readonly texts: number;
  /** All hits; only the first of them are told. */
  readonly hits: number;
}

/** What to look for, and where. */
export interface FindOrder {
  /** What is held under this key; null: nothing but `fields`. */
  readonly key: string | null;
  readonly fields: readonly Field[];
  readonly query: SearchQuery;
  /** Others are not looked through. */
  readonly kinds: readonly SearchKind[];
  /** So many hits are told at most. */
  readonly most: number;
}
