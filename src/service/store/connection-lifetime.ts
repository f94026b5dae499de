const shortestMs = 30_000;
const longestMs = 600_000;

/**
 * How long connections are used. A prepared statement keeps its plan until its tables are analyzed again, and one that was
 * made while a table was small must not stay for long after it has grown; but a new connection has all to plan anew, which
 * holds up whoever comes first. So those of a young process are used for half a minute, later ones for as long as it has been
 * up, ten minutes at most; and not all of them end at once.
 * @param now milliseconds, never going back
 * @returns what says for how many milliseconds a connection that is opened now is used
 */
export function createLifetimes(now = () => performance.now(), random = Math.random): () => number {
  const begun = now();
  return () => Math.min(longestMs, Math.max(shortestMs, now() - begun)) * (0.75 + random() / 2);
}
