import { Store } from "../../api/store.ts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

/** How many are under way at a time, so that a click always finds a free connection. */
export const mostTogether = 4;

/** How far one of many is. `held`: what had not begun when the rest was stopped. */
export type Step<R> =
  | { readonly step: "waiting" }
  | { readonly step: "held" }
  | { readonly step: "sending" }
  | { readonly step: "done"; readonly result: R }
  | { readonly step: "failed"; readonly error: unknown };

/**
 * One act on many things, each with its own result: one that is refused takes none of the others with it. It belongs to
 * no page, so it goes on when the page is left. Nothing is sent twice: only what waits is ever taken.
 */
export class BulkAction<R> {
  /** In the order in which they were given. */
  readonly steps: Pick<Store<ReadonlyMap<string, Step<R>>>, "get" | "subscribe">;
  readonly #steps: Store<ReadonlyMap<string, Step<R>>>;
  readonly #act: (id: string) => Promise<R>;
  readonly #limit: ConcurrencyLimit;

  /** @param act what is done to one; what it throws is that one's result */
  constructor(ids: readonly string[], act: (id: string) => Promise<R>, atOnce = mostTogether) {
    this.#act = act;
    this.#limit = new ConcurrencyLimit(atOnce);
    this.#steps = new Store<ReadonlyMap<string, Step<R>>>(
      new Map(ids.map((id) => [id, { step: "waiting" }])),
    );
    this.steps = this.#steps;
  }

  /** Whether some are under way or wait for their turn. */
  get isBusy(): boolean {
    return this.at("waiting").length + this.at("sending").length > 0;
  }

  /** Those that are so far. */
  at(step: Step<R>["step"]): readonly string[] {
    return [...this.steps.get()].filter(([, one]) => one.step === step).map(([id]) => id);
  }

  /**
   * Does what waits, and these again that failed or were held; anything else of them is left as it is.
   * @returns when what it set going has ended
   */
  readonly start = async (again: readonly string[] = []): Promise<void> => {
    for (const id of again) {
      const step = this.steps.get().get(id)?.step;
      if (step === "failed" || step === "held") this.#set(id, { step: "waiting" });
    }
    await Promise.all(this.at("waiting").map((id) => this.#limit.take(() => this.#do(id))));
  };

  async #do(id: string): Promise<void> {
    // Stopped meanwhile, or set going more than once.
    if (this.steps.get().get(id)?.step !== "waiting") return;
    this.#set(id, { step: "sending" });
    try {
      this.#set(id, { step: "done", result: await this.#act(id) });
    } catch (error) {
      this.#set(id, { step: "failed", error });
    }
  }

  /** Stops what has not begun; what was sent comes to its end. */
  readonly stop = (): void => {
    for (const id of this.at("waiting")) this.#set(id, { step: "held" });
  };

  #set(id: string, step: Step<R>): void {
    this.#steps.set(new Map(this.steps.get()).set(id, step));
  }
}
