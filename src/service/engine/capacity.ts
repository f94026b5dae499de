import { createShares, personKey, type Tenant } from "./shares.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** Kept in this process for something that is about to be started. */
export interface Reservation<T> {
  /** What was started is there: takes it up as soon as there is room, or hands it out where that takes long. */
  take(what: T): void;
  /** It was not started, or has ended with its start. */
  free(): void;
}

/** What a process may claim now. */
export interface Room {
  readonly count: number;
  /** Teams, by their limits, and people of teams that get nothing more here for now. */
  readonly fullTeams: readonly string[];
  readonly fullPeople: readonly string[];
}

/**
 * How much one process runs at the same time: what it claims when it is ready, and what it has started itself.
 *
 * What is at work cannot be pushed aside, and who was alone may have all places with something slow. So nobody waits for
 * them who has less than a fair share: for these there are places beyond, half as many for the people of a team and as many
 * for teams. To keep places free instead would cost whoever is alone.
 */
export interface Capacity<T> {
  /**
   * For what this process is about to start itself: that needs no way through the queue.
   * @returns null where there is no room, nor soon will be: others may have some; also where other teams wait, and this one
   * has its share
   */
  reserve(tenant: Tenant): Reservation<T> | null;
  /** What may be claimed now; null: nothing. */
  room(): Room | null;
  /** Runs what was claimed at once. */
  run(what: T, tenant: Tenant): void;
  /** Whether the first has so much at work here that it should give way to the other. */
  isLoudBeside(tenant: Tenant, other: Tenant): boolean;
  /** Whether other teams wait for room: told by whoever looks for what is ready. */
  setCrowded(isCrowded: boolean): void;
  /** Lets nothing more in; those who wait are handed out to others. @returns when nothing is left */
  close(): Promise<void>;
}

/** Where room became free so long ago, in milliseconds, the next is worth waiting for. */
const soonMs = 100;
/** How long what was started here is in line at most, in milliseconds: others may have room. */
const inLineMs = 1_000;

/** What is done with an execution for which there is room, or will be none any more. None of it rejects. */
interface Work<T> {
  /** @param leave called when it needs its room no more although it is not over yet */
  execute(what: T, leave: () => void): Promise<void>;
  handOut(what: T): Promise<void>;
  /** There is more room than before. */
  onRoom(): void;
  /** Something begins of a team or person with nothing else here, beside one with much. @returns called when it is over */
  onQuiet(tenant: Tenant): () => void;
}

/**
 * What the process has started itself has half of the room at most, and waits in a line for it: so there is always somebody
 * for what others have started.
 * @param concurrency how many places there are, without those beyond
 */
export function createCapacity<T>(
  concurrency: number,
  { execute, handOut, onRoom, onQuiet }: Work<T>,
): Capacity<T> {
  const most = Math.floor(concurrency / 2);
  const mostForPeople = Math.floor(concurrency * 1.5);
  const mostForTeams = concurrency * 2;
  /** Of those at work, and of those with those that are reserved. */
  const atWork = createShares(concurrency);
  const promised = createShares(concurrency);
  let used = 0;
  let own = 0;
  /** Reserved and not over yet: about to be started, in line, or at work. */
  let reserved = 0;
  let isCrowded = false;
  let leftAt = -soonMs;
  let isClosed = false;
  let closed = () => {};

  /** Who has at least so many has much at work. */
  const loudFrom = Math.max(2, Math.ceil(concurrency / 4));
  const isLoudBeside = (tenant: Tenant, other: Tenant) => {
    const { team, person } = atWork.countOf(tenant);
    return tenant.limitKey === other.limitKey
      ? tenant.person !== other.person && person >= loudFrom
      : team >= loudFrom;
  };
  /** Counts it from its reservation on: others give way to the statement that starts it too. @returns called when it is over */
  const begin = (tenant: Tenant) => {
    const { team, person } = promised.countOf(tenant);
    const beside = atWork.tenants().filter(({ limitKey }) => team === 0 || limitKey === tenant.limitKey);
    const isQuiet = person === 0 && beside.some((one) => isLoudBeside(one, tenant));
    promised.add(tenant);
    const over = isQuiet ? onQuiet(tenant) : () => {};
    return () => {
      promised.remove(tenant);
      over();
    };
  };

  const mayGoBeyond = (tenant: Tenant) =>
    (used < mostForTeams && atWork.isTeamBelow(tenant)) ||
    (used < mostForPeople && atWork.isPersonBelow(tenant));
  const mayEnter = (tenant: Tenant) => (used < concurrency && own < most) || mayGoBeyond(tenant);

  const line = createWaitingLine((tenant) => isClosed || mayEnter(tenant), inLineMs);
  const closeWhenEmpty = () => {
    if (isClosed && reserved === 0 && used === 0) closed();
  };
  async function inside(what: T, tenant: Tenant, isOwn: boolean): Promise<void> {
    used++;
    if (isOwn) own++;
    atWork.add(tenant);
    let isInside = true;
    const leave = () => {
      if (!isInside) return;
      isInside = false;
      used--;
      if (isOwn) own--;
      atWork.remove(tenant);
      leftAt = performance.now();
      line.callNext();
      onRoom();
    };
    try {
      await (isClosed ? handOut(what) : execute(what, leave));
    } finally {
      leave();
    }
  }
  /** Waits in line for room, but not for long. */
  async function through(what: T, tenant: Tenant): Promise<void> {
    if (isClosed || mayEnter(tenant)) return inside(what, tenant, true);
    return new Promise((resolve) => {
      line.join(tenant, {
        go: () => resolve(inside(what, tenant, true)),
        giveUp: () => resolve(handOut(what)),
      });
    });
  }

  return {
    reserve(tenant) {
      const isBelow = promised.isTeamBelow(tenant) || promised.isPersonBelow(tenant);
      const hasRoom = reserved < most && used - own + reserved < concurrency;
      const soonHas = performance.now() - leftAt < soonMs && reserved < most * 8;
      const mayBeyond = isBelow && used - own + reserved < mostForTeams;
      if (isClosed || !(mayBeyond || (!isCrowded && (hasRoom || soonHas)))) return null;
      reserved++;
      const over = begin(tenant);
      const free = () => {
        reserved--;
        over();
        closeWhenEmpty();
      };
      return {
        take: (what) => void through(what, tenant).finally(free),
        free() {
          if (own < most) leftAt = performance.now();
          free();
          onRoom();
        },
      };
    },
    room() {
      if (isClosed) return null;
      const free = concurrency - used - Math.max(0, Math.min(reserved, most) - own);
      if (free > 0) return { count: free, fullTeams: [], fullPeople: [] };
      const tenants = atWork.tenants();
      const full = tenants.filter((tenant) => !atWork.isTeamBelow(tenant));
      if (used < mostForPeople) {
        const fullPeople = full.filter((tenant) => !atWork.isPersonBelow(tenant)).map(personKey);
        return { count: 1, fullTeams: [], fullPeople };
      }
      if (used >= mostForTeams) return null;
      return { count: 1, fullTeams: [...new Set(full.map(({ limitKey }) => limitKey))], fullPeople: [] };
    },
    run(what, tenant) {
      const over = begin(tenant);
      void inside(what, tenant, false).finally(() => {
        over();
        closeWhenEmpty();
      });
    },
    isLoudBeside,
    setCrowded(now) {
      isCrowded = now;
    },
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        closed = resolve;
        line.callNext();
        closeWhenEmpty();
      });
    },
  };
}
