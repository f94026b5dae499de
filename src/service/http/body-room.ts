/** A part of the room, for one body. */
export interface Place {
  /** Waits until so many bytes more have room. */
  take(bytes: number): Promise<void>;
  /** When nothing of the body is needed any more. */
  leave(): void;
}

/** What all large bodies of requests may take of this process at a time. */
export interface BodyRoom {
  enter(): Place;
}

interface Body {
  held: number;
  wanted: number;
  go: (() => void) | null;
}

/**
 * Room for bodies, in bytes. Whoever came first always gets what it wants, so that nobody waits for ever; it may take the
 * room beyond its size by one body.
 */
export function createBodyRoom(size: number): BodyRoom {
  const bodies = new Set<Body>();
  let held = 0;
  const letIn = () => {
    let first = true;
    for (const body of bodies) {
      if (body.go !== null && (first || held + body.wanted <= size)) {
        held += body.wanted;
        body.held += body.wanted;
        body.go();
        body.go = null;
      }
      first = false;
    }
  };
  return {
    enter() {
      const body: Body = { held: 0, wanted: 0, go: null };
      bodies.add(body);
      return {
        take(bytes) {
          return new Promise((resolve) => {
            body.wanted = bytes;
            body.go = resolve;
            letIn();
          });
        },
        leave() {
          if (!bodies.delete(body)) return;
          held -= body.held;
          body.go?.();
          letIn();
        },
      };
    },
  };
}
