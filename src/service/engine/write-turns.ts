import { Fenced, LimitError } from "./engine-error.ts";
import { type Batch, createStepBatch, type StepBatch } from "./step-batch.ts";

/** The writes of one journal: one after the other, and none after one that did not get through. */
export interface WriteTurns {
  /** Steps, and what belongs to them, that go with the next write. */
  readonly waiting: StepBatch;
  /**
   * Lets one write through after the others, with what has waited for it, if nothing has gone wrong before. A limit is the
   * kind's to handle, all else is the engine's.
   */
  inTurn(work: (earlier: Batch) => Promise<void>): Promise<void>;
  /** @throws the error of the first write that did not get through; Fenced */
  assertUsable(): void;
  /** That error. */
  broken(): unknown;
  /** When no write is under way any more. */
  settled(): Promise<void>;
}

interface Turns {
  readonly signal: AbortSignal;
  /** No write is made before; where it rejects, none ever is. */
  readonly ready: Promise<void>;
  /** Awaited before each write. */
  giveWay(): Promise<void>;
  /** Called where what waits is to be written although nothing else is. */
  onDue(): void;
}

/** Opens them for one journal. */
export function createWriteTurns({ signal, ready, giveWay, onDue }: Turns): WriteTurns {
  let broken: unknown;
  let turn: Promise<unknown> = ready.catch((error: unknown) => {
    broken ??= error;
  });
  const waiting = createStepBatch(() => {
    if (!signal.aborted) onDue();
  });

  function assertUsable(): void {
    if (broken !== undefined) throw broken;
    if (signal.aborted && signal.reason instanceof Fenced) throw signal.reason;
  }

  return {
    waiting,
    async inTurn(work) {
      const mine = turn.then(async () => {
        await giveWay();
        assertUsable();
        const earlier = waiting.take();
        try {
          await work(earlier);
        } catch (error) {
          waiting.putBack(earlier);
          if (!(error instanceof LimitError)) broken ??= error;
          throw error;
        }
      });
      turn = mine.catch(() => undefined);
      await mine;
    },
    assertUsable,
    broken: () => broken,
    settled: async () => void (await turn),
  };
}
