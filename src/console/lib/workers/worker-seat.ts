/** The page's end of a worker, so that tests can do without one. */
export interface WorkerEnd<To, From> {
  postMessage(message: To, transfer?: Transferable[]): void;
  /** Called once, before the first message. `onDeath`: the worker broke, or could not be loaded, and will not answer. */
  listen(onMessage: (message: From) => void, onDeath: () => void): void;
  terminate(): void;
}

/** The place of one worker: it is started at the first message, and anew at the next one after it died. */
export interface WorkerSeat<To> {
  /** Which worker there is, counted from 1; 0 where there is none. */
  readonly worker: number;
  /** Starts a worker where there is none. */
  start(): void;
  /** Sends to the worker that there is, or to a new one. Where none can be started, that is a death. */
  post(message: To, transfer?: Transferable[]): void;
  /** Sends to the worker that there is, and to none where there is none. */
  tell(message: To): void;
  /** Ends the worker. Nothing of it is heard any more, its death neither. */
  end(): void;
}

/**
 * @param spawn starts a worker; may throw
 * @param onMessage what the present worker says
 * @param onDeath it is gone, and what it was asked will never be answered: whoever waits must be told
 */
export function workerSeat<To, From>(
  spawn: () => WorkerEnd<To, From>,
  onMessage: (message: From) => void,
  onDeath: () => void,
): WorkerSeat<To> {
  let port: WorkerEnd<To, From> | null = null;
  let worker = 0;

  function end(): void {
    port?.terminate();
    port = null;
  }

  function die(): void {
    end();
    onDeath();
  }

  function open(): WorkerEnd<To, From> {
    const made = spawn();
    worker += 1;
    port = made;
    made.listen(
      (message) => made === port && onMessage(message),
      () => made === port && die(),
    );
    return made;
  }

  function dare(act: (to: WorkerEnd<To, From> | null) => unknown): void {
    try {
      act(port);
    } catch {
      // It cannot be started here, or it cannot be given this.
      die();
    }
  }

  return {
    get worker() {
      return port === null ? 0 : worker;
    },
    start: () => dare((to) => to ?? open()),
    post: (message, transfer = []) => dare((to) => (to ?? open()).postMessage(message, transfer)),
    tell: (message) => port?.postMessage(message, []),
    end,
  };
}
