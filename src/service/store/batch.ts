/** How long a query holds up the next one, in milliseconds: those who wait must not also wait for a database that hangs. */
const defaultSlowAfterMs = 500;

/**
 * Looks up by key, many at once: keys that are asked for while a query is on its way share the next one. Each answer comes
 * from a query that began after it was asked for, so nothing is ever older than the question, as a cache's answer is.
 */
export function batched<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  { maxBatchSize = 200, inFlight = 2, slowAfterMs = defaultSlowAfterMs } = {},
): (key: K) => Promise<V | undefined> {
  interface Waiting {
    readonly key: K;
    readonly resolve: (value: V | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = 0;
  let scheduled = false;

  const run = async (batch: readonly Waiting[]) => {
    running++;
    let counted = true;
    const over = () => {
      if (!counted) return;
      counted = false;
      running--;
      flush();
    };
    const slow = setTimeout(over, slowAfterMs);
    try {
      const found = await load([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    clearTimeout(slow);
    over();
  };
  const flush = () => {
    while (waiting.length > 0 && running < inFlight) {
      const batch = waiting.slice(0, maxBatchSize);
      waiting = waiting.slice(maxBatchSize);
      void run(batch);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      // After the other requests that arrived in the same turn of the event loop.
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    });
}

/**
 * Asks one question for many at once: all who ask before the next query begins get its one answer. As with `batched`, no
 * answer comes from a query that began before it was asked for.
 */
export function coalesced<V>(
  ask: () => Promise<V>,
  { slowAfterMs = defaultSlowAfterMs } = {},
): () => Promise<V> {
  let next: Promise<V> | null = null;
  let free: Promise<void> = Promise.resolve();
  // One at a time, and after the other requests that arrived in the same turn of the event loop.
  const turn = async (begun: (answer: Promise<V>) => void) => {
    await free;
    await new Promise(setImmediate);
    next = null;
    const answer = ask();
    begun(answer);
    return await answer;
  };
  return () => {
    next ??= turn((answer) => {
      free = new Promise((resolve) => {
        const slow = setTimeout(resolve, slowAfterMs);
        const over = () => {
          clearTimeout(slow);
          resolve();
        };
        answer.then(over, over);
      });
    });
    return next;
  };
}
