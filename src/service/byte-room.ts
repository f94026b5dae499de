/** A part of the room, for one of those who share it. */
export interface Place {
  /** Waits until so many bytes more have room. */
  take(bytes: number): Promise<void>;
  /** When nothing of it is needed any more; whoever waits for it goes on at once. */
  leave(): void;
}

/** What may be in this process's memory at a time of something large. */
export interface ByteRoom {
  enter(): Place;
}

interface Taker {
  held: number;
  wanted: number;
  go: (() => void) | null;
}

/**
 * Room in bytes. Whoever came first always gets what it wants, so that nobody waits for ever; it may take the room beyond its
 * size by one.
 */
export function createByteRoom(size: number): ByteRoom {
  const takers = new Set<Taker>();
  let held = 0;
  const letIn = () => {
    let first = true;
    for (const taker of takers) {
      if (taker.go !== null && (first || held + taker.wanted <= size)) {
        held += taker.wanted;
        taker.held += taker.wanted;
        taker.go();
        taker.go = null;
      }
      first = false;
    }
  };
  return {
    enter() {
      const taker: Taker = { held: 0, wanted: 0, go: null };
      takers.add(taker);
      return {
        take(bytes) {
          return new Promise((resolve) => {
            taker.wanted = bytes;
            taker.go = resolve;
            letIn();
          });
        },
        leave() {
          if (!takers.delete(taker)) return;
          held -= taker.held;
          taker.go?.();
          letIn();
        },
      };
    },
  };
}
