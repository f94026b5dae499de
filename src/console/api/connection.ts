import type { QueryKey } from "@tanstack/react-query";
import type { Capabilities } from "./capabilities.ts";
import type { Clock, ServerClock } from "./clock.ts";
import type { ConsoleError } from "./errors.ts";
import type { PlainAnswer } from "./plain-answer.ts";
import type { PollEnvironment } from "./poll-environment.ts";
import type { Damage } from "./receive.ts";
import type { Credential, PlainRequest } from "./request.ts";
import type { Traffic } from "./traffic.ts";

/** Lets calls wait while the key is no longer accepted, so that they go on after the person signed in again. */
export interface Gate {
  /** The credential to use now; waits while a sign-in is asked for. */
  ready(signal?: AbortSignal): Promise<Credential | null>;
  /**
   * Reports that a credential was refused.
   * @returns when the call may be sent again; rejects with the error where it never will
   */
  refused(error: ConsoleError, used: Credential | null, signal?: AbortSignal): Promise<void>;
}

/** What was read of a big answer: whatever is equal to the answer before it under the same key is the same object. */
export interface BigReceipt {
  readonly data: object;
  readonly damage: readonly Damage[];
  readonly isShared: true;
}

/**
 * Parses, checks and compares a body off the page's own thread.
 * @param key what was asked: an answer is compared with the one before it under the same key
 * @returns undefined where it must be read on the page: another endpoint, no answer of it, or no worker
 * @throws the signal's reason when aborted
 */
export type ReadBig = (
  endpoint: string,
  key: string,
  text: string,
  signal?: AbortSignal,
) => Promise<BigReceipt | undefined>;

/** What one call needs of a connection. */
export interface Caller {
  /** Absolute, ends with `/api/v1`. */
  readonly base: string;
  readonly gate: Gate;
  readonly traffic: Pick<Traffic, "enter" | "sent" | "hold">;
  readonly capabilities: Capabilities;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Whether `fetch` has the answer to just this on its way already. Absent: nothing is. */
  readonly isPreloaded?: (request: PlainRequest) => boolean;
  /** Reads an answer that is too big for the page's own thread. Absent: everything is read on the page. */
  readonly readBig?: ReadBig;
  /** Waits until this tab may ask, where tabs ask once for all. */
  readonly begin?: () => Promise<void>;
  /** Carries out what a worker asks, where tabs ask once for all. Absent: it is simply sent. */
  readonly carry?: Carry;
}

/**
 * Stands around one request of a worker, which is given what another tab was answered, or null to ask the service, and
 * gives back a copy of what came.
 */
export type Carry = <T extends { readonly copy: Promise<PlainAnswer | null> | PlainAnswer | null }>(
  work: (given: PlainAnswer | null) => Promise<T>,
) => Promise<T>;

/** How a query is read. */
export interface How<T> {
  readonly signal?: AbortSignal | undefined;
  /** Not the person but the console asks. */
  readonly poll: boolean;
  /** What was read before. */
  readonly previous: T | undefined;
}

/** Reads one query. `via` is the connection, or one that answers with what another tab was answered. */
export type Ask<T> = (via: Connection, how: How<T>) => Promise<T>;

/** Reads a query for all tabs that poll it (across-tabs.ts). */
export type AcrossTabs = <T>(queryKey: QueryKey, ask: Ask<T>, how: How<T>) => Promise<T>;

/** One signed-in connection. Built once per sign-in, never kept in a module. */
export interface Connection extends Caller {
  /** The first part of every query key; names no secret. The same person on the same connection has the same id. */
  readonly id: string;
  /** Who asks, without the secret. Fixed for the life of this object. */
  readonly who: Omit<Credential, "secret">;
  readonly polling: PollEnvironment;
  /** Lets polls ask once for all tabs. Absent: each tab asks for itself, or its code is not there yet. */
  acrossTabs?: AcrossTabs;
  /** Fetches that code, where tabs can know of each other; called when a poll has just been answered. */
  meetTabs?: () => void;
}

/** `user_id` and `project_id` of one object (§4.2, §4.4, §4.5): the person, and the team where one is chosen. */
export function ownerOf(api: Connection): { user_id?: string; project_id?: string } {
  const { userId, teamId } = api.who;
  return { ...(userId ? { user_id: userId } : {}), ...(teamId ? { project_id: teamId } : {}) };
}

/** The same for lists of a person's things: a person's key lists all of them, a team key those of its team. */
export function listOwnerOf(api: Connection): { user_id?: string; project_id?: string } {
  const { user_id } = ownerOf(api);
  return api.who.kind === "team" || !user_id ? ownerOf(api) : { user_id };
}

/** `team_id` for lists that can be scoped to a team (§4.9); only team keys need it. */
export function teamScope(api: Connection): { team_id?: string } {
  const { kind, teamId } = api.who;
  return kind === "team" && teamId ? { team_id: teamId } : {};
}
