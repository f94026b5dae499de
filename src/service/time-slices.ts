import { setImmediate as nextTurn } from "node:timers/promises";
import { createLimiter, type Requester } from "./limiter.ts";

/** Work that can be left between any two of its steps. What it yields is handed back to it; an iterator is worked through first. */
export type Steps<T> = Iterator<unknown, T, unknown>;

/** So long one slice holds the event loop, in ms; a single step may take longer. */
const sliceMs = 8;
/** So long the first slices of all that begins in one turn of the loop, together. */
const firstMs = 4;
/** What one slice counts at most, in ms: a machine that stood still took the time, not the work. */
const mostOfSliceMs = 100;

/**
 * So much goes on after its first slice at a time, as it holds what it has made so far; some more for tenants of which nothing
 * does.
 */
const begun = createLimiter({ places: 8, spare: 8 });
/** In one turn of the loop one slice of one of them has its turn; all else comes between. */
const line = createLimiter({ places: 1 });
let firstLeft = firstMs;
let isNoted = false;

/** The work has used up its time. */
export class SlicesError extends Error {
  override readonly name = "SlicesError";
}

/**
 * Works through steps without holding up the event loop. What is soon done is done at once; the rest takes turns with the rest
 * of others, by their shares.
 * @param mostMs that it may take, without what it waits
 * @returns what the work returns
 * @throws what it throws; SlicesError when it has taken longer; the signal's reason between two slices
 */
export async function runInSlices<T>(work: Steps<T>, requester: Requester, mostMs: number): Promise<T> {
  const { share, signal } = requester;
  const walk = walkThrough(work);
  let left = mostMs;
  const slice = (ms: number): IteratorResult<void, T> => {
    const began = performance.now();
    let took = 0;
    let step = walk.next();
    while (!step.done && took < ms) {
      step = walk.next();
      took = performance.now() - began;
    }
    left -= Math.min(took, mostOfSliceMs);
    return step;
  };
  while (firstLeftOfTurn() <= 0) await nextTurn();
  signal?.throwIfAborted();
  const began = performance.now();
  const first = slice(firstLeft);
  firstLeft -= performance.now() - began;
  if (first.done) return first.value;
  return begun.run(requester, async () => {
    for (;;) {
      if (left <= 0) throw new SlicesError();
      const step = await line.run({ share, signal }, async () => {
        const next = slice(sliceMs);
        await nextTurn();
        return next;
      });
      if (step.done) return step.value;
    }
  });
}

function firstLeftOfTurn(): number {
  if (!isNoted) {
    isNoted = true;
    setImmediate(() => {
      isNoted = false;
      firstLeft = firstMs;
    });
  }
  return firstLeft;
}

/** Works through the iterators that an iterator yields or returns as well, a step of one of them at a time. */
function* walkThrough<T>(root: Steps<T>): Generator<void, T> {
  const open: Iterator<unknown, unknown, unknown>[] = [root];
  let given: unknown;
  let failure: { readonly error: unknown } | null = null;
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    try {
      const step: IteratorResult<unknown, unknown> = failure
        ? throwInto(last, failure.error)
        : last.next(given);
      failure = null;
      if (step.done) open.pop();
      if (isIterator(step.value)) open.push(step.value);
      given = isIterator(step.value) ? undefined : step.value;
    } catch (error) {
      open.pop();
      failure = { error };
    }
    yield;
  }
  if (failure) throw failure.error;
  // What the outermost returned is the last that was given.
  return given as T;
}

function throwInto(
  into: Iterator<unknown, unknown, unknown>,
  error: unknown,
): IteratorResult<unknown, unknown> {
  if (into.throw === undefined) throw error;
  return into.throw(error);
}

function isIterator(value: unknown): value is Iterator<unknown, unknown, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "next" in value &&
    typeof value.next === "function" &&
    "throw" in value &&
    typeof value.throw === "function" &&
    "return" in value &&
    typeof value.return === "function"
  );
}
