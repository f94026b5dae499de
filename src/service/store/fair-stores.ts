import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { anySignal } from "../any-signal.ts";
import { createLimiter, type LimiterOptions } from "../limiter.ts";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";
import { noConnectionMessage } from "./store-error.ts";

/** Who needs connections for a request. */
export interface StoreUser {
  /** The person or team; else the network that the request came from. */
  readonly who: string;
  /** Aborted when nobody waits for the answer any more; asked for only where there is a wait. */
  readonly gone: () => AbortSignal;
}

/** Who asks for so much that it takes longer waits for itself, in milliseconds. */
const longestWaitMs = 30_000;

/**
 * How many of these connections requests hold at a time. The rest is for what has no line and must not wait: what runs and
 * its leases, who asks, whether the database answers.
 */
export function sharesOf(connections: number): Required<LimiterOptions> {
  const most = Math.max(1, connections - Math.ceil(connections / 4));
  const spare = Math.floor(most / 5);
  return { places: most - spare, spare, eachTenant: Math.max(1, Math.floor(most / 2)) };
}

/**
 * Stores for requests, which lend the connections of a pool in turn: whoever asks for much waits for itself. A place is held
 * for as long as a connection is, and not while a request waits for its reader or for a server outside. So whoever
 * has a connection must not wait for a second one.
 * @param store as it is for all that has no line
 * @param lent its connections
 * @param connections how many they are
 */
export function createFairStores(
  store: Omit<Store, "of">,
  lent: PostgresPool,
  connections: number,
): (user: StoreUser) => Store {
  const limiter = createLimiter(sharesOf(connections));

  async function inTurn<T>({ who, gone }: StoreUser, work: () => Promise<T>): Promise<T> {
    let begun = false;
    const whileWaiting = () => anySignal([gone(), AbortSignal.timeout(longestWaitMs)]);
    try {
      return await limiter.run({ share: [who], whileWaiting }, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      throw begun ? error : new Error(noConnectionMessage, { cause: error });
    }
  }

  /** In turn, until it is released. */
  const connect = (user: StoreUser) =>
    new Promise<PostgresPoolClient>((resolve, reject) => {
      inTurn(user, async () => {
        const client = await lent.connect();
        await new Promise<void>((over) =>
          resolve({
            query: client.query,
            release() {
              client.release();
              over();
            },
          }),
        );
      }).catch(reject);
    });

  const of = (user: StoreUser): Store => {
    let db: Kysely<Database> | null = null;
    return {
      ...store,
      of,
      get db() {
        const pool = { connect: () => connect(user), end: () => lent.end() };
        db ??= new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
        return db;
      },
      query: (config) => inTurn(user, () => store.query(config)),
    };
  };
  return of;
}
