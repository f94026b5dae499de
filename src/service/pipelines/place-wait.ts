import { formatDuration } from "../../contract/duration.ts";
import { type Requester, shareOf } from "../limiter.ts";
import type { RunFacts } from "../nodes/node.ts";
import type { TimeLimit } from "../time-limit.ts";

/** A wait that is over sooner is not said: nobody could read it. In milliseconds. */
const momentMs = 1_000;

interface PlaceWaitParts {
  readonly facts: RunFacts;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Of the node itself: it stands still meanwhile. */
  readonly limit: TimeLimit | null;
  /** Whether the log has not said yet that this node waits: it does so once, however many calls a node is. */
  isFirst(): boolean;
  say(text: string): void;
  /** Writes what was said, now. */
  write(): Promise<void>;
}

/** How one call of a node waits for places of this process. */
export interface PlaceWait {
  readonly requester: Requester;
  /** The call is over: nothing is said any more, and what was said is written. */
  end(): Promise<void>;
}

/** Stops the node's clock while it waits, and says so in the log, once, where it takes longer than a moment. */
export function placeWait({ facts, signal, limit, isFirst, say, write }: PlaceWaitParts): PlaceWait {
  let timer: NodeJS.Timeout | null = null;
  let since: number | null = null;
  let isTold = false;
  let writing = Promise.resolve();
  const tell = (ahead: number) => {
    if (!isFirst()) return;
    isTold = true;
    say(waitingLine(ahead));
    // What cannot be written breaks the journal, which says so itself.
    writing = write().catch(() => undefined);
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    requester: {
      share: shareOf(facts, facts.runId),
      signal,
      onWait(ahead) {
        limit?.pause();
        stop();
        since ??= performance.now();
        if (!isTold && ahead) timer = setTimeout(() => tell(ahead()), momentMs);
      },
      onStart() {
        limit?.resume();
        stop();
        if (isTold && since !== null) {
          say(`waited ${formatDuration(performance.now() - since, { fine: true })} for a free place`);
          writing = writing.then(write).catch(() => undefined);
        }
        isTold = false;
        since = null;
      },
    },
    async end() {
      stop();
      await writing;
    },
  };
}

/** What the log says of a node that waits. The console knows it by its first words. */
function waitingLine(ahead: number): string {
  return ahead === 0
    ? "waiting for a free place, next in line"
    : `waiting for a free place, ${ahead} before it`;
}
