import type { Room } from "./capacity.ts";
import type { Ready } from "./claim-ready.ts";
import { personKey } from "./shares.ts";

/** Where a dispatcher gets work, and where it goes. */
interface Dispatching {
  /** What may be claimed now; null: nothing. */
  room(): Room | null;
  /** Claims what is ready and begins it. @returns undefined when the worker stopped before it got through */
  claim(room: Room, waitFor: string | null): Promise<Ready | undefined>;
  onError(error: unknown): void;
}

/** Looks for what is ready whenever there may be some and there is room, one look at a time. */
export interface Dispatcher {
  /** Something may be ready: of this team and person, or of anybody. */
  ready(limitKey?: string, person?: string): void;
  /** There is more room than before. */
  onRoom(): void;
  /** Looks no more. @returns when the last look is over */
  stop(): Promise<void>;
}

/** For one worker. It looks at nothing before it is told that something may be ready, or that there is room. */
export function createDispatcher({ room, claim, onError }: Dispatching): Dispatcher {
  /** Something is ready, as far as we know, that we have not got. */
  let isLeft = false;
  /** Somebody has told us so since the look that is under way began. */
  let isTold = false;
  let looking: Promise<void> | null = null;
  let isStopped = false;

  async function look(): Promise<void> {
    let waitFor: string | null = null;
    for (let now = room(); now !== null && !isStopped; now = room()) {
      isTold = false;
      const found: Ready | undefined = await claim(now, waitFor);
      if (found === undefined) return;
      waitFor = found.lockedKey;
      const gotAll = found.rows.length < now.count && waitFor === null;
      // Those that get nothing here for now may have more.
      const wasForAll = now.fullTeams.length + now.fullPeople.length === 0;
      if (gotAll && wasForAll) isLeft = isTold;
      if (gotAll && !isTold) return;
    }
  }

  function start(): void {
    if (looking !== null || isStopped || room() === null) return;
    looking = look()
      .catch(onError)
      .finally(() => {
        looking = null;
        if (isTold) start();
      });
  }

  return {
    ready(limitKey, person) {
      isLeft = true;
      const now = room();
      if (now === null) return;
      const isFull =
        limitKey !== undefined &&
        (now.fullTeams.includes(limitKey) ||
          (person !== undefined && now.fullPeople.includes(personKey({ limitKey, person }))));
      if (isFull) return;
      isTold = true;
      start();
    },
    onRoom() {
      if (!isLeft) return;
      isTold = true;
      start();
    },
    async stop() {
      isStopped = true;
      await looking;
    },
  };
}
