/**
 * Why a model gave no answer:
 * `unknown` no such model is connected; `refused` the provider will never accept this request;
 * `too_long` it would accept a shorter one;
 * `busy` too many requests (429); `unavailable` the provider or the network failed; `silent` nothing arrived for too long;
 * `broken` what arrived was cut short or unreadable; `too_many` it asked for more tools at once than are called.
 */
export type ModelFailure =
  | "unknown"
  | "refused"
  | "too_long"
  | "busy"
  | "unavailable"
  | "silent"
  | "broken"
  | "too_many";

const worthAnotherTry: Record<ModelFailure, boolean> = {
  unknown: false,
  refused: false,
  too_long: false,
  busy: true,
  unavailable: true,
  silent: true,
  broken: true,
  too_many: false,
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

/** For an answer that is longer than any of a model in its senses. */
export const withoutEnd = (): ModelError => new ModelError("broken", "The model's answer has no end.");
