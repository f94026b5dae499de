import type { HeldLog } from "../../runs/index.ts";

import type { Field, HeldRun } from "./search-messages.ts";

/** What is kept of one run or conversation for searching. */
export interface Kept {
  readonly log: HeldLog | null;
  readonly fields: readonly Field[];
  readonly etag: string | null;
  /** Null for what is no run. */
  readonly run: HeldRun | null;
  /** Bytes in memory, roughly. */
  readonly size: number;
}

/** Keeps what was used last, within a measure: what is put on it stays, others are let go of when there is no room. */
export class Shelf {
  readonly #room: number;
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /** @param room bytes */
  constructor(room: number) {
    this.#room = room;
  }

  /** What is kept under a key; it counts as used. */
  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
    return kept;
  }

  put(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const old of [...this.#kept.keys()]) {
      if (this.#size <= this.#room || old === key) return;
      this.#drop(old);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#size -= kept.size;
  }
}

/** Bytes of texts, roughly: two for each letter, and some for each object. */
export const sizeOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { text }) => sum + 2 * text.length + 200, 0);
