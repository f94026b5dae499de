import type { Endpoint } from "../../contract/define.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import type { Caller } from "../areas/handler.ts";
import type { Guesses, SecretAttempt } from "../guessing/guesses.ts";
import { networkOf } from "../guessing/network.ts";
import { ServiceError } from "../service-error.ts";
import { batched } from "../store/batch.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import type { DatabaseClock } from "../store/database-clock.ts";
import { type Generations, generationSql, type Moment } from "../store/generation.ts";
import { storableText } from "../store/json.ts";
import type { Store } from "../store/store.ts";
import { type CallerRow, callerColumns, callerTables, lacksPlan, toCaller } from "./caller-row.ts";
import { hashText, isWellFormed, sameHash } from "./key.ts";
import type { RequestSource } from "./sign-in.ts";

/** What the request carries, and for which endpoint. */
export interface Attempt {
  /** From `readSecret`; null without one. */
  readonly secret: string | null;
  /** The header `x-auth-key`: a name, not a proof. */
  readonly userHeader: string | null;
  readonly endpoint: Pick<Endpoint, "userHeader" | "errors">;
  /** From where it comes, for people who look at their keys. */
  readonly from?: () => RequestSource;
  readonly requestId?: string;
}

/** Finds out who asks. */
export interface Authenticator {
  /**
   * Who asks (§5). A query that begins after the request came reads it, or says that what was read before still
   * holds, so that a revoked key, a lost membership or a lower plan counts at the next request, in every process.
   * @throws ServiceError `missing_credential` (401); `invalid_credentials` (401), or `unauthorized_key` (403) where
   * the endpoint has that (§7.1); `plan_upgrade_required` (403) for a key whose owner is below Pro (§5.3)
   */
  authenticate(attempt: Attempt): Promise<Identity>;
}

/** Who asks, and for how long that is sure. */
export interface Identity {
  readonly caller: Caller;
  /** Sure while this is the current generation, */
  readonly generation: string;
  /** and before this time of the database's clock, in milliseconds since 1970; null: without an end. */
  readonly until: number | null;
  /** Notes that the credential was used at this time of the database's clock: at most once a minute it is written down. */
  used(now: number, from: (() => RequestSource) | undefined): void;
}

/** What a program calls itself, as far as it is kept. */
export function shortAgent(header: string | null | undefined): string | null {
  return header == null ? null : storableText(header).slice(0, 300);
}

/** Callers that are remembered; each takes well below a kilobyte. */
const maxCallers = 2_000;
/** How old the time of a key's last use may be, in milliseconds. */
const touchMs = 60_000;

/**
 * Asks the identity provider again for the groups of a person, in whatever process that is done.
 * @returns when it is known whether they still have what their groups gave
 */
export type GroupCheck = (userId: string) => Promise<void>;

/**
 * @param guesses the door for keys that nobody has (S-180)
 * @param checkGroups null: there is no identity provider
 * @param see is told the database's time with each credential that is read
 */
export function createAuthenticator(
  store: Store,
  generations: Generations,
  guesses: Pick<Guesses, "compare">,
  checkGroups: GroupCheck | null = null,
  see: DatabaseClock["see"] = () => {},
): Authenticator {
  const find = batched((hashes: readonly string[]) => findCredentials(store, hashes));
  const memory = new BoundedMap<Known>(maxCallers);

  /** What is known of this credential and still holds. */
  const recall = async (hash: string, from: Attempt["from"]): Promise<Known | undefined> => {
    const known = memory.get(hash);
    if (known === undefined) return undefined;
    const moment = await generations.current();
    if (isCurrent(known.identity, moment)) {
      known.identity.used(moment.now, from);
      return known;
    }
    memory.delete(hash);
    return undefined;
  };

  /** One that was there and holds no more is no guess. */
  const read = async (hash: string, from: Attempt["from"]): Promise<Known | "ended" | null> => {
    const askedAt = performance.now();
    let row = await find(hash);
    if (row) see(row.now, askedAt);
    // An asking that was under way may have begun before the time was up: only the next one knows that it is.
    for (let asked = 0; asked < 2 && checkGroups !== null && row?.valid && row.user_id !== null; asked++) {
      if (!isOver(row.check_by, row.now)) break;
      await checkGroups(row.user_id);
      row = await find(hash);
    }
    const caller = row?.valid && sameHash(row.hash, Buffer.from(hash, "hex")) ? toCaller(row) : null;
    if (!row) return null;
    if (caller === null) return "ended";
    if (row.stale) touch(store, row.id, from);
    const known = { row, identity: toIdentity(store, row, caller, checkGroups) };
    known.identity.used(row.now, from);
    memory.set(hash, known);
    return known;
  };

  return {
    async authenticate(attempt) {
      if (attempt.secret === null) throw new ServiceError("missing_credential");
      const { secret, from } = attempt;
      const hash = hashText(secret);
      const known =
        (await recall(hash, from)) ??
        (await guesses.compare(
          asGuess(attempt),
          () => read(hash, from),
          (found) => found !== "ended" && !isWellFormed(secret) && !wasUsedFrom(found.row, from?.()),
        ));
      if (known === null || known === "ended") throw new ServiceError(invalidKey(attempt.endpoint));
      checkUse(known.row, attempt);
      return known.identity;
    },
  };
}

/** A key that nobody has; the name that came with it says whose it would be. */
function asGuess({ userHeader, from, requestId }: Attempt): SecretAttempt {
  const { address = null, userAgent = null } = from?.() ?? {};
  return {
    from: { address, user_agent: userAgent, request_id: requestId ?? null },
    account: userHeader === null ? null : `person:${userHeader}`,
    event: { action: "key.refuse", object: { kind: "key", id: null } },
  };
}

/** Whether it was used last from the network that it comes from now. */
function wasUsedFrom({ used_from_address: before }: CredentialRow, from: RequestSource | undefined): boolean {
  return before !== null && from?.address != null && networkOf(before) === networkOf(from.address);
}

/** What an invalid key hears there. */
export function invalidKey({ errors }: Pick<Endpoint, "errors">): ErrorCode {
  return errors.includes("unauthorized_key") ? "unauthorized_key" : "invalid_credentials";
}

/** A credential that held when it was read. */
interface Known {
  readonly row: CredentialRow;
  readonly identity: Identity;
}

/** Whether nothing has changed since, and its time is not over. */
export function isCurrent({ generation, until }: Identity, moment: Moment): boolean {
  return generation === moment.generation && (until === null || moment.now < until);
}

function toIdentity(
  store: Store,
  row: CredentialRow,
  caller: Caller,
  checkGroups: GroupCheck | null,
): Identity {
  const {
    id,
    generation,
    user_id: userId,
    expires_at: expiresAt,
    check_by: checkBy,
    check_from: checkFrom,
  } = row;
  // Groups that could not be asked for again in time are asked for again at each request.
  const ends = [expiresAt, checkGroups === null ? null : checkBy].filter((end) => end !== null);
  let touchedAt = row.now;
  let isChecked = checkGroups === null || userId === null;
  return {
    ...{ caller, generation, until: ends.length === 0 ? null : Math.min(...ends) },
    used(now, from) {
      if (!isChecked && isOver(checkFrom, now)) {
        // What it finds raises the generation, or comes with the next read.
        isChecked = true;
        checkGroups?.(userId ?? "").catch(() => {});
      }
      if (now - touchedAt < touchMs) return;
      touchedAt = now;
      touch(store, id, from);
    },
  };
}

/** What a valid credential may still lack. */
function checkUse(row: CredentialRow, { endpoint, userHeader }: Attempt): void {
  if (lacksPlan(row)) throw new ServiceError("plan_upgrade_required");
  if (endpoint.userHeader && row.kind === "personal" && userHeader !== row.user_id) {
    throw new ServiceError("invalid_credentials", {
      message: "With a personal key, send your user id as the header x-auth-key.",
      param: "x-auth-key",
    });
  }
}

function isOver(end: number | null, now: number): boolean {
  return end !== null && end <= now;
}

interface CredentialRow extends CallerRow {
  readonly hash: Buffer;
  readonly stale: boolean;
  /** The address of the socket. */
  readonly used_from_address: string | null;
  /** Milliseconds since 1970, as `now`; null: never. */
  readonly expires_at: number | null;
  /** When the groups of its person are asked for again: beside a request, and at last before one is answered. */
  readonly check_from: number | null;
  readonly check_by: number | null;
  readonly now: number;
  readonly generation: string;
}

/** @param hashes in hex, as the keys of the answer */
async function findCredentials(
  store: Store,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, CredentialRow>> {
  const values = [hashes.map((hash) => Buffer.from(hash, "hex"))];
  const rows = await store.prompt<CredentialRow>({ name: "find_credentials", text: findSql, values });
  return new Map(rows.map((row) => [row.hash.toString("hex"), row]));
}

const findSql = `
  select ${callerColumns}, c.hash, c.used_from_address,
         c.last_used_at is null or c.last_used_at < now() - interval '1 minute' as stale,
         (extract(epoch from c.expires_at) * 1000)::float8 as expires_at,
         (extract(epoch from i.check_from) * 1000)::float8 as check_from,
         (extract(epoch from i.check_by) * 1000)::float8 as check_by,
         (extract(epoch from now()) * 1000)::float8 as now,
         ${generationSql} as generation
    from ${callerTables}
    left join oidc_identities i on i.user_id = c.user_id and i.is_in
   where c.hash = any($1::bytea[])`;

/** For people who look at their keys; nothing waits for it and nothing depends on it. */
function touch(store: Store, id: string, from: Attempt["from"]): void {
  const place = from?.();
  const values = [id, place?.address ?? null, place?.userAgent ?? null];
  store.pool.query(touchSql, values).catch(() => {});
}

/** Of several processes in the same minute one writes. */
const touchSql = `
  update credentials set last_used_at = now(), used_from_address = $2, used_from_agent = $3
   where id = $1 and (last_used_at is null or last_used_at < now() - interval '50 seconds')`;
