/** Who asks for a place, and what it hears while it waits. */
export interface Requester {
  /** For whom, from the outside in, as `shareOf` says it. At each level those who wait take turns. */
  readonly share: readonly string[];
  /** Ends the wait, not the work. */
  readonly signal?: AbortSignal | undefined;
  /** The same where there is no `signal`; made only when it has to wait. */
  readonly whileWaiting?: (() => AbortSignal) | undefined;
  /**
   * It has to wait.
   * @param ahead how many are likely to get a place first, whenever it is asked; null where it waits for none any more, but for
   *   what the place needs, such as a thread that starts
   */
  readonly onWait?: ((ahead: (() => number) | null) => void) | undefined;
  /** It has its place: the work begins. Called whether it had to wait or not. */
  readonly onStart?: (() => void) | undefined;
}

export interface LimiterOptions {
  /** How much runs at the same time. */
  readonly places: number;
  /** How many of these one tenant may hold; all of them where nothing is said. */
  readonly eachTenant?: number;
  /** Further places, for tenants that hold none: so nobody waits for the end of another's long work. None where nothing is said. */
  readonly spare?: number;
}

/**
 * Lets so much work run at a time. The rest waits, and free places go round: to the tenant that holds the fewest and was
 * served longest ago, there to its person, there to their execution, there to whoever came first.
 */
export interface Limiter {
  /** @throws the signal's reason when it is aborted before the work has begun; what the work throws */
  run<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
  /**
   * The same for work that is no single call: waits for a place.
   * @returns gives the place back; to be called once
   * @throws the signal's reason when it is aborted before
   */
  enter(requester: Requester): Promise<() => void>;
  /** How many wait. */
  readonly waiting: number;
}

/** The share of a run or turn: its tenant (the team, else the person), the person, the execution. */
export function shareOf(
  { teamId, userId }: { readonly teamId: string | null; readonly userId: string | null },
  executionId: string,
): readonly string[] {
  return [teamId ?? userId ?? "", userId ?? "", executionId];
}

/** All that is done for one tenant, person or execution; the outermost holds everything. */
interface Group {
  readonly name: string;
  readonly outer: Group | null;
  readonly inner: Map<string, Group>;
  /** Who waits in it and in no inner group, in the order in which they came. */
  readonly line: Set<Waiter>;
  running: number;
  waiting: number;
  /** The number of the last place that it was given; 0 for none. */
  served: number;
}

interface Waiter {
  start(): void;
}

/** Places of this process: others have their own. */
export function createLimiter({
  places,
  eachTenant = Number.POSITIVE_INFINITY,
  spare = 0,
}: LimiterOptions): Limiter {
  const everybody = newGroup("", null);
  let served = 0;

  const hasRoom = ({ running }: Group) =>
    running < eachTenant && everybody.running < places + (running === 0 ? spare : 0);

  function give(group: Group): void {
    served++;
    for (const each of outwards(group)) {
      each.running++;
      each.served = served;
    }
  }

  /** Gives free places to those who wait, as far as they may have one. */
  function giveAll(): void {
    for (;;) {
      let group = nextOf(everybody, hasRoom);
      if (group === null) return;
      for (let inner = nextOf(group); inner !== null; inner = nextOf(group)) group = inner;
      const [waiter] = group.line;
      if (waiter === undefined) return;
      leave(group, waiter);
      give(group);
      waiter.start();
    }
  }

  function lineUp(group: Group, { whileWaiting, onWait, ...requester }: Requester): Promise<void> {
    const signal = requester.signal ?? whileWaiting?.();
    if (signal?.aborted) {
      forgetEmpty(group);
      return Promise.reject(signal.reason);
    }
    return new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        leave(group, waiter);
        forgetEmpty(group);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      group.line.add(waiter);
      for (const each of outwards(group)) each.waiting++;
      signal?.addEventListener("abort", giveUp, { once: true });
      onWait?.(() => aheadOf(group, waiter));
    });
  }

  /** A place, with how long to wait for it: null where it is there at once. */
  function place(requester: Requester): { readonly wait: Promise<void> | null; leave(): void } {
    requester.signal?.throwIfAborted();
    const [tenantName = "", ...names] = requester.share;
    const tenant = innerOf(everybody, tenantName);
    const group = names.reduce(innerOf, tenant);
    const leave = () => {
      for (const each of outwards(group)) each.running--;
      forgetEmpty(group);
      giveAll();
    };
    // Of its own tenant nobody waits while there is room for it, and the others have no room: nobody is overtaken.
    if (!hasRoom(tenant)) return { wait: lineUp(group, requester), leave };
    give(group);
    return { wait: null, leave };
  }

  return {
    get waiting() {
      return everybody.waiting;
    },
    async run(requester, work) {
      const { wait, leave } = place(requester);
      if (wait !== null) await wait;
      try {
        requester.onStart?.();
        return await work();
      } finally {
        leave();
      }
    },
    async enter(requester) {
      const { wait, leave } = place(requester);
      await wait;
      requester.onStart?.();
      return leave;
    },
  };
}

function newGroup(name: string, outer: Group | null): Group {
  return { name, outer, inner: new Map(), line: new Set(), running: 0, waiting: 0, served: 0 };
}

function innerOf(outer: Group, name: string): Group {
  const group = outer.inner.get(name) ?? newGroup(name, outer);
  outer.inner.set(name, group);
  return group;
}

function* outwards(group: Group): Generator<Group> {
  for (let each: Group | null = group; each !== null; each = each.outer) yield each;
}

/** Which of the inner groups is next; of equals, the one that came first. @returns null where none waits */
function nextOf({ inner }: Group, mayHave: (group: Group) => boolean = () => true): Group | null {
  let next: Group | null = null;
  for (const group of inner.values()) {
    if (group.waiting > 0 && mayHave(group) && (next === null || byTurn(group, next) < 0)) next = group;
  }
  return next;
}

function byTurn(a: Group, b: Group): number {
  return a.running - b.running || a.served - b.served;
}

/**
 * How many are likely to be served before one who waits: at each level, as many of every other group as of its own, and one
 * more of those whose turn comes first.
 */
function aheadOf(innermost: Group, waiter: Waiter): number {
  let ahead = [...innermost.line].indexOf(waiter);
  for (let mine = innermost; mine.outer !== null; mine = mine.outer) {
    const inTurn = [...mine.outer.inner.values()].filter(({ waiting }) => waiting > 0).sort(byTurn);
    const turn = inTurn.indexOf(mine);
    const own = ahead;
    for (const [index, { waiting }] of inTurn.entries()) {
      if (index !== turn) ahead += Math.min(waiting, own + (index < turn ? 1 : 0));
    }
  }
  return ahead;
}

function leave(group: Group, waiter: Waiter): void {
  group.line.delete(waiter);
  for (const each of outwards(group)) each.waiting--;
}

function forgetEmpty(group: Group): void {
  for (const { running, waiting, outer, name } of outwards(group)) {
    if (running === 0 && waiting === 0) outer?.inner.delete(name);
  }
}
