/** What a combined signal was made of, for as long as there is that one. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * Aborted as soon as one of these is, with its reason. As `AbortSignal.any`, which in Node 20 does not keep what it is made
 * of: a time limit (`AbortSignal.timeout`) that is held nowhere else is collected together with its timer, and never comes.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const all = AbortSignal.any([...signals]);
  sources.set(all, signals);
  return all;
}
