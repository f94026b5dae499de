import type { Kind } from "../../service/engine/kind.ts";

/** Executions that end when all of them are at work at once: as many as there are places, so that none may be lost. */
export interface Meeting {
  /** For one process. @param isDead whether it has been killed */
  kind(isDead: () => boolean): Kind;
  /** From now on so many are waited for. */
  call(size: number): void;
  /** How many are there. */
  present(): number;
}

export function createMeeting(): Meeting {
  const there = new Set<string>();
  let size = Number.POSITIVE_INFINITY;
  let open = () => {};
  let all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    call(of) {
      there.clear();
      size = of;
      all = new Promise((resolve) => {
        open = resolve;
      });
    },
    present: () => there.size,
    kind: (isDead) => ({
      async advance({ id }, { signal }) {
        if (!isDead()) there.add(id);
        if (there.size >= size) open();
        // Who has to leave early comes again.
        const left = new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        await Promise.race([all, left]);
        if (signal.aborted) there.delete(id);
        signal.throwIfAborted();
        return { type: "done", result: null };
      },
    }),
  };
}
