/** A part of the room, for one of those who share it. */
export interface RoomShare {
  /** Waits until so many bytes more have room. */
  take(bytes: number): Promise<void>;
  /** When nothing of it is needed any more; whoever waits for it goes on at once. */
  leave(): void;
}

/** What may be in this process's memory at a time of something large. */
export interface ByteRoom {
  /** @param who the person or team that it is for; they share the room, however much each wants */
  enter(who: string): RoomShare;
}

interface Taker {
  readonly who: string;
  held: number;
  wanted: number;
  go: (() => void) | null;
}

/**
 * Room in bytes. Whoever came first always gets what it wants, beside the room, and so does whoever came first of all others:
 * nobody waits for ever, and nobody for what another alone holds. All that comes after them shares the room, and half of it is
 * the most for one person or team with several in it.
 */
export function createByteRoom(size: number): ByteRoom {
  const takers = new Set<Taker>();
  let waiting = 0;

  const letIn = () => {
    if (waiting === 0) return;
    const active = [...takers].filter(({ held, wanted }) => held + wanted > 0);
    const [first] = active;
    const other = active.find(({ who }) => who !== first?.who);
    const heldBy = new Map<string, number>();
    let held = 0;
    const count = ({ who }: Taker, bytes: number) => {
      held += bytes;
      heldBy.set(who, (heldBy.get(who) ?? 0) + bytes);
    };
    for (const taker of active) if (taker !== first && taker !== other) count(taker, taker.held);
    const seen = new Set<string>();
    for (const taker of active) {
      const { who, wanted, go } = taker;
      const isTheirFirst = !seen.has(who);
      seen.add(who);
      if (go === null) continue;
      if (taker !== first && taker !== other) {
        const hasHalf = (heldBy.get(who) ?? 0) + wanted <= size / 2;
        if (held + wanted > size || !(isTheirFirst || hasHalf)) continue;
        count(taker, wanted);
      }
      waiting--;
      Object.assign(taker, { held: taker.held + wanted, wanted: 0, go: null });
      go();
    }
  };

  return {
    enter(who) {
      const taker: Taker = { who, held: 0, wanted: 0, go: null };
      takers.add(taker);
      return {
        take(bytes) {
          return new Promise((resolve) => {
            taker.wanted = bytes;
            taker.go = resolve;
            waiting++;
            letIn();
          });
        },
        leave() {
          if (!takers.delete(taker)) return;
          if (taker.go !== null) waiting--;
          taker.go?.();
          letIn();
        },
      };
    },
  };
}
