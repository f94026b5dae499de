/** A watched thing as it was last read. Times are ms since 1970. */
export interface Sight {
  /** `run run_1`, `conversation int_1`: unique among all that is watched. */
  readonly key: string;
  /** When the person began it, or last asked in it. */
  readonly began: number;
  readonly state: "unread" | "moving" | "ended";
  /** When what was read first came. */
  readonly receivedAt: number;
}

export interface End {
  readonly key: string;
  /** When it was last known not to have ended. */
  readonly since: number;
}

type Seen = { readonly movedAt: number } | { readonly endedFor: number };

/** Knows which ends are news: of what was seen to move, or was begun since the page was opened. */
export class EndMemory {
  readonly #openedAt: number;
  readonly #seen = new Map<string, Seen>();

  constructor(openedAt: number) {
    this.#openedAt = openedAt;
  }

  /** Looks at everything watched. Each end is in one answer only. */
  look(sights: readonly Sight[], now: number): readonly End[] {
    return sights.flatMap((sight) => this.#lookAt(sight, now) ?? []);
  }

  #lookAt({ key, began, state, receivedAt }: Sight, now: number): End | null {
    if (state === "unread") return null;
    if (state === "moving") {
      this.#seen.set(key, { movedAt: now });
      return null;
    }
    const seen = this.#seen.get(key) ?? { endedFor: this.#openedAt };
    if ("movedAt" in seen) {
      this.#seen.set(key, { endedFor: began });
      return { key, since: seen.movedAt };
    }
    // Too quick to be seen moving. What was read before it began is the end of the turn before.
    const isNew = began > seen.endedFor && receivedAt > began;
    this.#seen.set(key, isNew ? { endedFor: began } : seen);
    return isNew ? { key, since: began } : null;
  }
}
