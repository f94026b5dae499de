import { type QueryFunctionContext, queryOptions, replaceEqualDeep } from "@tanstack/react-query";
import type { Call, Endpoint } from "../../contract/define.ts";
import { type Answer, call, type DataOf } from "./client.ts";
import type { Ask, Connection } from "./connection.ts";
import { isRetryable } from "./errors.ts";
import { describePoll, once, type PollPolicy, type PollState } from "./poll.ts";

/** An answer as the cache keeps it: the same object for as long as nothing in it changes. */
export interface Moves {
  /** When this content first came; milliseconds since 1970. */
  readonly receivedAt: number;
  readonly serverDate: number | null;
  readonly tookMs: number;
  /** Something in it can still change by itself. */
  readonly moving: boolean;
  /** Nothing moves, and that was confirmed by a read after its end. */
  readonly settled: boolean;
}

export type Snapshot<E extends Endpoint> = Answer<E> & Moves;

export interface ReadOptions<E extends Endpoint> {
  /** How often it is asked again by itself; `once` by default. */
  readonly policy?: PollPolicy;
  /** Whether something in the data can still change by itself; false by default. */
  readonly moving?: (data: DataOf<E>) => boolean;
  /** The ISO 8601 time at which it ended, so that what ended long ago is not asked again. */
  readonly endedAt?: (data: DataOf<E>) => string | null | undefined;
  /** How long an answer counts as fresh when a page is opened, in ms; 0 by default. */
  readonly staleTime?: number;
  readonly enabled?: boolean;
  /** Asked for by nobody in particular: its first read waits for its turn like a poll (C-36). */
  readonly inBackground?: boolean;
}

/** The key of every query: connection, endpoint, input. */
export type ReadKey = readonly [connection: string, endpoint: string, input: unknown];

/** The only maker of keys; leave the input out to name all queries of an endpoint. */
export function keyOf(api: Connection, endpoint: { readonly name: string }): readonly [string, string] {
  return [api.id, endpoint.name];
}

/**
 * Query options of one endpoint: the same for loaders, components, the palette and tests. What was read stays while a
 * later read fails; a poll that brings nothing new costs no body (ETag) and no render.
 */
export function readOptions<E extends Endpoint>(
  api: Connection,
  endpoint: E,
  input: Call<E>,
  options: ReadOptions<E> = {},
) {
  const { policy = once, staleTime = 0, enabled = true, inBackground = false } = options;
  const queryKey: ReadKey = [...keyOf(api, endpoint), input];
  return queryOptions({
    queryKey,
    queryFn: reading<Snapshot<E>>(api, inBackground, async (via, how) => {
      const answer = await call(via, endpoint, input, how);
      return { ...answer, ...movesOf(answer, how.previous, options) };
    }),
    ...pollOptions(api, policy),
    structuralSharing: keepUnchanged,
    staleTime,
    enabled,
    meta: { policy },
  });
}

/** The function of a query that is read by `ask`, and, where it is polled, once for all tabs. */
export function reading<T>(api: Connection, inBackground: boolean, ask: Ask<T>) {
  return async ({ signal, client, queryKey }: QueryFunctionContext<ReadKey>): Promise<T> => {
    const previous = client.getQueryData<T>(queryKey);
    const how = { signal, previous, poll: inBackground || previous !== undefined };
    if (api.acrossTabs) return api.acrossTabs(queryKey, ask, how);
    const read = await ask(api, how);
    if (previous) api.meetTabs?.();
    return read;
  };
}

/** For so long, in ms, what was read is not read again by a page that opens. */
export const justRead = 1_000;

/** What makes a query poll by a policy. The policy is also the retry of what polls. */
export function pollOptions(api: Connection, policy: PollPolicy) {
  const polled = policy !== once;
  return {
    refetchInterval: (query: PolledQuery) => policy(pollState(query), api.polling.clock()),
    refetchIntervalInBackground: true,
    // What the route's loader has just read is not read again by the page.
    refetchOnMount: ({ state }: PolledQuery) => api.clock.now() - state.dataUpdatedAt > justRead,
    refetchOnWindowFocus: polled ? (query: PolledQuery) => !pollState(query).settled : false,
    refetchOnReconnect: polled,
    retry: polled ? false : (count: number, error: Error) => count < 2 && isRetryable(error),
  };
}

/** The part of a query that policies need. */
export interface PolledQuery {
  readonly queryHash: string;
  readonly state: {
    readonly data: unknown;
    readonly dataUpdateCount: number;
    readonly dataUpdatedAt: number;
    readonly error: unknown;
    readonly errorUpdatedAt: number;
    readonly errorUpdateCount: number;
  };
}

/** A query's state as policies look at it. */
export function pollState({ queryHash, state }: PolledQuery): PollState {
  const data = state.data as Moves | undefined;
  return {
    key: queryHash,
    reads: state.dataUpdateCount,
    checkedAt: state.dataUpdatedAt,
    changedAt: data?.receivedAt ?? 0,
    error: state.error,
    failedAt: state.errorUpdatedAt,
    failures: state.errorUpdateCount,
    moving: data?.moving ?? false,
    settled: data?.settled ?? false,
    tookMs: data?.tookMs ?? 0,
  };
}

/** What the live chip says of a query. */
export function describeQuery(api: Connection, query: PolledQuery & { readonly meta?: unknown }) {
  const policy = (query.meta as { policy?: PollPolicy } | undefined)?.policy ?? once;
  return describePoll(policy, pollState(query), api.polling.clock());
}

const endedLongAgo = 5_000;

/** Adds to an answer whether it moves. `previous` is the answer before it. */
export function movesOf<D>(
  answer: { readonly data: D; readonly receivedAt: number; readonly serverDate: number | null },
  previous: Moves | undefined,
  { moving, endedAt }: { moving?: (data: D) => boolean; endedAt?: (data: D) => string | null | undefined },
): Pick<Moves, "moving" | "settled"> {
  if (!endedAt) return { moving: moving?.(answer.data) ?? false, settled: false };
  if (moving?.(answer.data)) return { moving: true, settled: false };
  const ended = Date.parse(endedAt(answer.data) ?? "");
  const long = (answer.serverDate ?? answer.receivedAt) - ended > endedLongAgo;
  return { moving: false, settled: long || (previous !== undefined && !previous.moving) };
}

/** Structural sharing that keeps the whole old answer where its content is the same. */
export function keepUnchanged(old: unknown, next: unknown): unknown {
  type Kept = Moves & { data: unknown; damage: unknown; isShared?: true };
  const before = old as Kept | undefined;
  const after = next as Kept;
  if (before === undefined || before === after) return next;
  // What was compared off this thread is too much to walk here.
  const share = after.isShared ? (_: unknown, now: unknown) => now : replaceEqualDeep;
  const data = share(before.data, after.data);
  const damage = share(before.damage, after.damage);
  const same =
    data === before.data &&
    damage === before.damage &&
    before.moving === after.moving &&
    before.settled === after.settled;
  return same ? before : { ...after, data, damage };
}
