/**
 * Why a model gave no answer:
 * `unknown` no such model is connected; `refused` the provider will never accept this request;
 * `busy` too many requests (429); `unavailable` the provider or the network failed; `silent` nothing arrived for too long;
 * `broken` what arrived was cut short or unreadable.
 */
export type ModelFailure = "unknown" | "refused" | "busy" | "unavailable" | "silent" | "broken";

const worthAnotherTry: Record<ModelFailure, boolean> = {
  unknown: false,
  refused: false,
  busy: true,
  unavailable: true,
  silent: true,
  broken: true,
};

/** A model call that failed. `message` is a sentence for a person and never holds a key. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly failure: ModelFailure;
  /** Milliseconds that the provider asked us to wait, or null. */
  readonly retryAfterMs: number | null;

  constructor(failure: ModelFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }

  get retryable(): boolean {
    return worthAnotherTry[this.failure];
  }
}
