import { ConsoleError, type Failure } from "../../api/errors.ts";

/** What a method of a worker has while it works. */
export interface Work<Told = never> {
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Buffers that are handed over with the answer instead of being copied. */
  readonly transfer: Transferable[];
  /** Says something to whoever asked, before the answer. */
  tell(told: Told, transfer?: Transferable[]): void;
}

/** The methods of a worker by their names. Each takes what can be cloned, and answers now or later, or throws. */
export type Methods = Readonly<Record<string, (input: never, work: Work<never>) => unknown>>;

/** From the page to the worker. Nobody waits for an answer where there is no `id`. */
export type ToWorker =
  | { readonly id: number | null; readonly method: string; readonly input: unknown }
  | { readonly abort: number };

/** From the worker to the page: once that it stands, and then about what it was asked. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly told: unknown }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: PlainError };

/** An error as it crosses: its kind is a value. */
export interface PlainError {
  readonly kind: string;
  readonly message: string;
  /** Of a ConsoleError. */
  readonly failure?: Failure;
  readonly endpoint?: string;
}

/** The worker's end. */
export interface WorkerScope {
  postMessage(message: FromWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
}

/** Answers what the page asks of this worker, which `callWorker` has started. */
export function serve(methods: Methods, scope: WorkerScope = self): void {
  const running = new Map<number, AbortController>();

  async function answer(id: number | null, method: string, input: unknown): Promise<void> {
    const stop = new AbortController();
    const transfer: Transferable[] = [];
    const tell = (told: unknown, handed: Transferable[] = []) => {
      if (id !== null) scope.postMessage({ id, told }, { transfer: handed });
    };
    if (id !== null) running.set(id, stop);
    try {
      const work = { signal: stop.signal, transfer, tell };
      // What crosses is typed on the page, where `callWorker` knows these methods.
      const answered = await methods[method]?.(input as never, work);
      if (id !== null) scope.postMessage({ id, answer: answered }, { transfer });
    } catch (error) {
      if (id !== null) scope.postMessage({ id, error: plainOf(error) }, { transfer: [] });
    } finally {
      if (id !== null) running.delete(id);
    }
  }

  scope.addEventListener("message", ({ data }) => {
    if ("abort" in data) running.get(data.abort)?.abort();
    else void answer(data.id, data.method, data.input);
  });
  scope.postMessage({ ready: true }, { transfer: [] });
}

function plainOf(error: unknown): PlainError {
  const message = String(error);
  if (error instanceof ConsoleError) {
    const { kind, failure, endpoint } = error;
    return { kind, message, failure, endpoint };
  }
  const { kind, name } = (error ?? {}) as { readonly kind?: unknown; readonly name?: unknown };
  return { kind: String(kind ?? name), message };
}
