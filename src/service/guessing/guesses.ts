import { sql } from "kysely";
import type { AuditEvent, From } from "../audit/entry.ts";
import { recordGuesses } from "../audit/record.ts";
import { createRecurring } from "../recurring.ts";
import { ServiceError } from "../service-error.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import type { Store } from "../store/store.ts";
import { networkOf, siteOf } from "./network.ts";

/** Who sends a secret: the address of the socket, what the program calls itself, the request. */
export type Sender = From;

/** Who sends a secret, and what is recorded if it is wrong. */
export interface SecretAttempt {
  /** Its address is that of the socket, never one of a header. */
  readonly from: Sender;
  /** Whom the secret is said to be of, such as `client:ID`; null: that is not said. */
  readonly account: string | null;
  /** Recorded once for each minute and network, with the number of times. It names nothing that a stranger sent. */
  readonly event: AuditEvent;
}

/** So many wrong secrets at once are only wrong; then one more each time that so many seconds have gone by. */
export interface GuessLimit {
  readonly atOnce: number;
  readonly everySeconds: number;
}

/** For one network, for one site (the first 48 bits of IPv6), and for one account from wherever it is guessed at. */
export type GuessLimits = Readonly<Record<"network" | "site" | "account", GuessLimit>>;

export const usualGuessLimits: GuessLimits = {
  network: { atOnce: 20, everySeconds: 10 },
  site: { atOnce: 200, everySeconds: 1 },
  account: { atOnce: 100, everySeconds: 5 },
};

/** The one door before every secret that a stranger can send: keys, tokens, links, codes. */
export interface Guesses {
  /**
   * Compares a secret. Wrong ones are counted across all processes, by network and by account, and recorded. What was made
   * here from 128 random bits or more cannot be guessed: a right one is let in whatever others sent from the same network, so
   * that nobody is kept out by somebody else. What a person has chosen can be: where there are too many wrong ones, a right one waits like them.
   * @param compare what the secret opens; null: nothing, it is wrong
   * @param isGuessable whether what it opens has a secret that a person chose, and that was not used from this network before
   * @returns null where it is wrong; @throws ServiceError `too_many_requests` with the seconds to wait, or whatever `compare` throws
   */
  compare<T>(
    attempt: SecretAttempt,
    compare: () => Promise<T | null>,
    isGuessable?: (found: T) => boolean,
  ): Promise<T | null>;
  /** Removes now and then what counts no more, and writes down what was refused meanwhile. */
  start(): void;
  stop(): Promise<void>;
}

/** A source that has to wait, as this process knows it: what comes meanwhile costs no query. */
interface Waiting {
  /** Of `performance.now()`. */
  readonly until: number;
  /** What was refused since the last record. */
  unrecorded: number;
  readonly attempt: SecretAttempt;
  readonly network: string;
}

const rememberedSources = 10_000;
const tidyMs = 30_000;
/** Rows of the table; with more, a wrong secret of a source that has none is refused unseen. */
const mostRows = 100_000;

/**
 * One for each process; what they count they share in the database.
 * @param onFailure told of what failed between requests, where nobody waits for it
 */
export function createGuesses(
  store: Store,
  onFailure: (error: unknown) => void,
  limits: GuessLimits = usualGuessLimits,
): Guesses {
  const waiting = new BoundedMap<Waiting>(rememberedSources);
  let isFull = false;

  /** Seconds that this process knows of. */
  const known = (source: string): { readonly seconds: number; readonly found: Waiting } | null => {
    const found = waiting.get(source);
    const seconds = ((found?.until ?? 0) - performance.now()) / 1_000;
    return found !== undefined && seconds > 0 ? { seconds, found } : null;
  };

  /** In how many seconds, in every process, one more wrong one would be only wrong; 0: now. Counts nothing. */
  const untilNext = async (sources: readonly Source[]): Promise<number> => {
    const waits = sources.map(({ kind, name }) => {
      const { atOnce, everySeconds: every } = limits[kind];
      return sql`select extract(epoch from counted_until - now())::float8 - ${(atOnce - 1) * every}::float8 as seconds
                   from guesses where source = ${name}`;
    });
    const { rows } = await sql<{ seconds: number | null }>`
      select max(seconds)::float8 as seconds from (${sql.join(waits, sql` union all `)}) waits`.execute(
      store.db,
    );
    return Math.max(0, rows[0]?.seconds ?? 0);
  };

  const counted = async (source: Source): Promise<number> => {
    const { atOnce, everySeconds: every } = limits[source.kind];
    if (isFull) {
      const there = await sql`select from guesses where source = ${source.name}`.execute(store.db);
      if (there.rows.length === 0) return every;
    }
    const most = atOnce * every;
    const after = sql`greatest(one.counted_until, now()) + make_interval(secs => ${every})`;
    const { rows } = await sql`
      insert into guesses as one (source, counted_until) values (${source.name}, now() + make_interval(secs => ${every}))
      on conflict (source) do update set counted_until = ${after}
        where ${after} <= now() + make_interval(secs => ${most})
      returning true`.execute(store.db);
    if (rows.length > 0) return 0;
    // One too many is not counted: whoever waits as long as they are told gets one more.
    return Math.max(0.001, await untilNext([source]));
  };

  /** Counts a wrong one, from the narrowest source outwards: one that has to wait uses up nothing of the others. @returns seconds to wait; 0: none */
  const count = async (attempt: SecretAttempt, network: string, sources: readonly Source[]) => {
    for (const source of sources) {
      const seconds = await counted(source);
      if (seconds <= 0) continue;
      const before = waiting.get(source.name)?.unrecorded ?? 0;
      const until = performance.now() + seconds * 1_000;
      waiting.set(source.name, { until, unrecorded: 0, attempt, network });
      await recordGuesses(store.db, attempt.from, network, attempt.event, before + 1);
      return seconds;
    }
    await recordGuesses(store.db, attempt.from, network, attempt.event, 1);
    return 0;
  };

  const tidy = async () => {
    await sql`delete from guesses where counted_until < now()`.execute(store.db);
    const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from guesses`.execute(store.db);
    isFull = (rows[0]?.rows ?? 0) >= mostRows;
    for (const one of waiting.values()) {
      const times = one.unrecorded;
      if (times === 0) continue;
      one.unrecorded = 0;
      await recordGuesses(store.db, one.attempt.from, one.network, one.attempt.event, times);
    }
  };
  const tidying = createRecurring(tidy, tidyMs, onFailure);

  return {
    async compare(attempt, compare, isGuessable = () => false) {
      const found = await compare();
      const network = networkOf(attempt.from.address ?? "");
      const sources = sourcesOf(network, attempt.account);
      if (found !== null) {
        if (!isGuessable(found)) return found;
        const seconds = await untilNext(sources);
        if (seconds > 0) throw tooMany(seconds);
        return found;
      }
      for (const { name } of sources) {
        const wait = known(name);
        if (wait === null) continue;
        wait.found.unrecorded++;
        throw tooMany(wait.seconds);
      }
      const seconds = await count(attempt, network, sources);
      if (seconds > 0) throw tooMany(seconds);
      return null;
    },
    start: () => tidying.start(),
    async stop() {
      await tidying.stop();
      await tidy().catch(onFailure);
    },
  };
}

interface Source {
  readonly kind: keyof GuessLimits;
  readonly name: string;
}

/** Longer names of accounts are strangers' texts and none of ours. */
const longestAccount = 200;

function sourcesOf(network: string, account: string | null): readonly Source[] {
  const site = siteOf(network);
  return [
    { kind: "network", name: `network:${network}` },
    ...(site === null ? [] : [{ kind: "site", name: `site:${site}` } as const]),
    ...(account === null || account.length > longestAccount
      ? []
      : [{ kind: "account", name: `account:${account}` } as const]),
  ];
}

function tooMany(seconds: number): ServiceError {
  const wait = Math.ceil(seconds);
  const message = `Too many wrong keys, links or codes came from your network. Try again in ${wait} ${wait === 1 ? "second" : "seconds"}.`;
  return new ServiceError("too_many_requests", { message, retryAfter: wait });
}
