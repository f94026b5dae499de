import type { Kind } from "../kind.ts";

/** Bytes. Above `ask` a person decides whether it is read; above `most` it never is, only downloaded. */
export interface Limits {
  readonly ask: number;
  readonly most: number;
}

const mega = 1_000_000;

const limits: Readonly<Record<Exclude<Kind, "none">, Limits>> = {
  image: { ask: 20 * mega, most: 200 * mega },
  svg: { ask: 5 * mega, most: 50 * mega },
  pdf: { ask: 25 * mega, most: 200 * mega },
  // Played as they come, in ranges: nothing is held.
  audio: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  video: { ask: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  html: { ask: 5 * mega, most: 20 * mega },
  markdown: { ask: 2 * mega, most: 50 * mega },
  json: { ask: 5 * mega, most: 100 * mega },
  csv: { ask: 10 * mega, most: 100 * mega },
  xlsx: { ask: 5 * mega, most: 50 * mega },
  code: { ask: 5 * mega, most: 100 * mega },
  text: { ask: 5 * mega, most: 100 * mega },
};

export const limitsOf = (kind: Exclude<Kind, "none">): Limits => limits[kind];

/** JSON above this is shown as it was written, in bytes: making a tree of it would hold the page up. */
export const mostOfTree = 8 * mega;
