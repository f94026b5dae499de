import { type Clock, systemClock } from "../../api/clock.ts";
import { ConsoleError } from "../../api/errors.ts";
import type { FromWorker, Methods, PlainError, ToWorker, Work } from "./serve.ts";

/** The page's end of a worker, so that tests can do without one. */
export interface WorkerEnd {
  postMessage(message: ToWorker, transfer: Transferable[]): void;
  /** Called once, before the first message. `onDeath`: the worker broke, or could not be loaded, and will not answer. */
  listen(onMessage: (message: FromWorker) => void, onDeath: () => void): void;
  terminate(): void;
}

/**
 * Why a worker will not answer: it never stood, it died, it was silent for too long and was ended, or it was closed.
 * Who waited for a worker that another call was silent in hears `silent` as well.
 */
export type Loss = "no worker" | "died" | "silent" | "closed";

/** A call that came to nothing. `kind`: a loss, or what the worker said of its error. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly kind: string;

  constructor(kind: string, message = `The worker gave no answer: ${kind}`) {
    super(message);
    this.kind = kind;
  }
}

interface CallOptions<Told> {
  readonly signal?: AbortSignal | undefined;
  /** Hears what is told before the answer. */
  readonly onTold?: (told: Told) => void;
  /** Handed over instead of being copied. */
  readonly transfer?: Transferable[];
  /** The worker is ended when it says nothing about this call for so long, in ms. */
  readonly silenceMs?: number;
  /** Asked again of a new worker where another call's silence ended this one. */
  readonly canRepeat?: boolean;
}

type Input<M> = M extends (input: infer I, ...more: never[]) => unknown ? I : never;
type Answer<M> = M extends (...all: never[]) => infer A ? Awaited<A> : never;
type Told<M> = M extends (input: never, work: Work<infer T>) => unknown ? T : never;

/** Calls of one worker, which is started by the first one, and anew by the next one after it was lost. */
export interface WorkerCalls<M extends Methods> {
  /** Which worker there is, counted from 1; 0 where there is none. */
  readonly worker: number;
  /** @throws ConsoleError as the worker threw it, CallError for all else, the signal's reason when aborted */
  call<K extends keyof M & string>(
    method: K,
    input: Input<M[K]>,
    options?: CallOptions<Told<M[K]>>,
  ): Promise<Answer<M[K]>>;
  /** Says something to the worker that there is, and to none where there is none. */
  tell<K extends keyof M & string>(method: K, input: Input<M[K]>): void;
  /** For good: whoever waits hears of it, and so does whoever asks after it. */
  close(): void;
}

interface Options {
  readonly clock?: Clock;
  /** A worker that does not stand after so long is lost, in ms. */
  readonly startMs?: number;
  /** The worker is gone with all it held. Called before whoever waits is told. */
  readonly onLoss?: () => void;
  /** What a loss is called by whoever asks here. */
  readonly errorOf?: (loss: Loss) => Error;
}

interface Pending {
  readonly message: ToWorker;
  readonly transfer: Transferable[];
  readonly canRepeat: boolean;
  readonly take: (message: FromWorker) => void;
  readonly fail: (error: unknown) => void;
  /** Counts its silence, from now on. */
  readonly watch: () => void;
}

/** @param spawn starts the worker, which `serve`s these methods; may throw */
export function callWorker<M extends Methods>(
  spawn: () => WorkerEnd,
  { clock = systemClock, startMs, onLoss, errorOf = (loss) => new CallError(loss) }: Options = {},
): WorkerCalls<M> {
  const calls = new Map<number, Pending>();
  let port: WorkerEnd | null = null;
  let isReady = false;
  let isClosed = false;
  let worker = 0;
  let lastId = 0;
  let stopStart = () => {};

  function open(): WorkerEnd {
    const made = spawn();
    port = made;
    worker += 1;
    if (startMs !== undefined) stopStart = clock.after(startMs, () => lose("no worker"));
    const isPresent = () => made === port;
    made.listen(
      (message) => isPresent() && take(message),
      () => isPresent() && lose(isReady ? "died" : "no worker"),
    );
    return made;
  }

  function take(message: FromWorker): void {
    if ("id" in message) calls.get(message.id)?.take(message);
    else {
      isReady = true;
      stopStart();
      for (const one of calls.values()) one.watch();
    }
  }

  function lose(loss: Loss): void {
    stopStart();
    port?.terminate();
    port = null;
    isReady = false;
    onLoss?.();
    for (const [id, one] of [...calls]) {
      // A new worker may be lost as well.
      if (!calls.has(id)) continue;
      if (loss === "silent" && one.canRepeat) post(one);
      else one.fail(errorOf(loss));
    }
  }

  function post({ message, transfer, watch }: Pending): void {
    try {
      (port ?? open()).postMessage(message, transfer);
      if (isReady) watch();
    } catch {
      // It cannot be started here, or it cannot be given this.
      lose(isReady ? "died" : "no worker");
    }
  }

  return {
    get worker() {
      return port === null ? 0 : worker;
    },
    call: (method, input, { signal, onTold, transfer = [], silenceMs, canRepeat = false } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (isClosed) return reject(errorOf("closed"));
        lastId += 1;
        const id = lastId;
        let stopWatch = () => {};
        const settle = () => {
          stopWatch();
          calls.delete(id);
          signal?.removeEventListener("abort", onAbort);
        };
        const fail = (error: unknown) => {
          settle();
          reject(error);
        };
        const onAbort = () => {
          port?.postMessage({ abort: id }, []);
          fail(signal?.reason);
        };
        const watch = () => {
          stopWatch();
          if (silenceMs !== undefined) stopWatch = clock.after(silenceMs, onSilence);
        };
        const onSilence = () => {
          fail(errorOf("silent"));
          lose("silent");
        };
        const one: Pending = {
          message: { id, method, input },
          transfer,
          canRepeat,
          watch,
          fail,
          // What crosses has the types of the methods that the worker serves.
          take(message) {
            if ("told" in message) {
              watch();
              onTold?.(message.told as never);
            } else if ("answer" in message) {
              settle();
              resolve(message.answer as never);
            } else if ("error" in message) fail(revived(message.error));
          },
        };
        calls.set(id, one);
        signal?.addEventListener("abort", onAbort, { once: true });
        post(one);
      }),
    tell: (method, input) => port?.postMessage({ id: null, method, input }, []),
    close() {
      isClosed = true;
      lose("closed");
    },
  };
}

function revived({ kind, message, failure, endpoint = "" }: PlainError): Error {
  return failure ? new ConsoleError(failure, endpoint) : new CallError(kind, message);
}
