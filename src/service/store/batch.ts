/** How long a query holds up the next one, in milliseconds: those who wait must not also wait for a database that hangs. */
const defaultSlowAfterMs = 500;

/** How a batch is made. */
interface BatchOptions<K> {
  readonly maxBatchSize?: number;
  /** How many queries are under way at a time. */
  readonly inFlight?: number;
  readonly slowAfterMs?: number;
  /** Whose a key is: a tenant's keys wait for a query that has others of theirs, and for no other's. Without it none are told apart. */
  readonly tenantOf?: (key: K) => string;
  /** What a key counts against `maxWeight`; without it nothing. */
  readonly weightOf?: (key: K) => number;
  /** What the keys of one query may count together. What alone is more has a query of its own. */
  readonly maxWeight?: number;
}

/**
 * Looks up by key, many at once: keys that are asked for while a query is on its way share the next one. Each answer comes
 * from a query that began after it was asked for, so nothing is ever older than the question, as a cache's answer is.
 */
export function batched<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  options: BatchOptions<K> = {},
): (key: K) => Promise<V | undefined> {
  interface Waiting {
    readonly key: K;
    readonly tenant: string | undefined;
    readonly weight: number;
    readonly resolve: (value: V | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  const { maxBatchSize = 200, inFlight = 2, slowAfterMs = defaultSlowAfterMs, tenantOf } = options;
  const { weightOf, maxWeight = Number.POSITIVE_INFINITY } = options;
  let waiting: Waiting[] = [];
  let running = 0;
  let scheduled = false;
  /** Of whom a query is under way. */
  const busy = new Set<string>();

  const mayGo = ({ tenant }: Waiting): boolean => tenant === undefined || !busy.has(tenant);
  const take = (): readonly Waiting[] => {
    if (!waiting.some(mayGo)) return [];
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    let room = maxWeight;
    const fits = ({ weight }: Waiting) =>
      batch.length === 0 || (batch.length < maxBatchSize && weight <= room);
    for (const one of waiting) {
      const goes = mayGo(one) && fits(one);
      (goes ? batch : left).push(one);
      if (goes) room -= one.weight;
    }
    waiting = left;
    return batch;
  };
  const run = async (batch: readonly Waiting[]) => {
    running++;
    const tenants = new Set(batch.flatMap(({ tenant = [] }) => tenant));
    for (const tenant of tenants) busy.add(tenant);
    let counted = true;
    const over = () => {
      if (!counted) return;
      counted = false;
      running--;
      for (const tenant of tenants) busy.delete(tenant);
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
      const batch = take();
      if (batch.length === 0) return;
      void run(batch);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, tenant: tenantOf?.(key), weight: weightOf?.(key) ?? 0, resolve, reject });
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
