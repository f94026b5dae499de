import { sql } from "kysely";
import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import { tryAdvisoryLock } from "../store/lock.ts";
import type { Store, Tx } from "../store/store.ts";
import {
  type AuditKey,
  auditKey,
  emptyHead,
  type Head,
  type ReadHead,
  readHead,
  sealedTime,
  writeHead,
} from "./chain.ts";

/** Held by whoever seals or removes: of several processes one does. */
const lock = "audit";
/** So many entries in one transaction. */
const atOnce = 500;
const betweenMs = 1_000;

/** The chain does not end where its head says, so nothing more is sealed: that would hide what was done to it. */
export class AuditChainBroken extends Error {
  constructor() {
    super("The audit log was changed behind the service: see what is wrong with `wheelhouse audit verify`.");
  }
}

/**
 * Gives entries that are committed their places in the chain, in the order in which they came to the database. Which of two
 * transactions at once was first nobody knows; what is committed later comes later.
 * @param onOtherSecret told which secret has sealed what these follow, where that is not this one
 * @returns how many; null where another process is at it
 * @throws AuditChainBroken
 */
export async function sealPending(
  { db }: Pick<Store, "db">,
  key: AuditKey,
  most = atOnce,
  onOtherSecret: (keyId: string) => void = () => {},
): Promise<number | null> {
  return await db.transaction().execute(async (tx) => {
    if (!(await tryAdvisoryLock(tx, lock))) return null;
    await endMinutes(tx);
    const { rows } = await sql<{ id: string; at: string; entry: string }>`
      select id, ${sealedTime} as at, entry::text as entry from audit_pending order by id limit ${sql.lit(most)}`.execute(
      tx,
    );
    if (rows.length === 0) return 0;
    const head = await holdingHead(tx, key);
    let { lastPosition, lastSeal } = head;
    const sealed = rows.map(({ id, at, entry }) => {
      lastPosition++;
      lastSeal = key.sealEntry(lastSeal, { position: lastPosition, at, entry });
      return { id, position: lastPosition, seal: lastSeal };
    });
    const { numAffectedRows } = await sql`
      with moved as (
        delete from audit_pending using unnest(${sealed.map(({ id }) => id)}::bigint[],
          ${sealed.map(({ position }) => position)}::bigint[], ${sealed.map(({ seal }) => seal)}::bytea[]) placed (id, position, seal)
         where audit_pending.id = placed.id returning placed.position, at, entry, placed.seal
      )
      insert into audit_log (position, at, entry, key_id, seal)
      select position, at, entry, ${key.id}, seal from moved`.execute(tx);
    if (Number(numAffectedRows) !== sealed.length) throw new Error("An entry of the audit log came twice");
    await writeHead(tx, key, { ...head, lastPosition, lastSeal });
    if ("keyId" in head && head.keyId !== key.id) onOtherSecret(head.keyId);
    return sealed.length;
  });
}

/** @throws AuditChainBroken */
async function holdingHead(tx: Tx, key: AuditKey): Promise<Head | ReadHead> {
  const head = await readHead(tx, key, true);
  if (head !== null) {
    if (head.state === "altered") throw new AuditChainBroken();
    if (head.state === "of another secret") await checkOtherSecret(tx, head);
    return head;
  }
  const there = await tx.selectFrom("audit_log").select("position").limit(1).executeTakeFirst();
  if (there !== undefined) throw new AuditChainBroken();
  return emptyHead;
}

/**
 * After a change of the secret the log ends with an entry of the secret before. A head that alone says so may be anybody's, and
 * to go on from it would seal what was cut off out of the log; an entry that says so as well is told by `verifyChain`.
 * @throws AuditChainBroken
 */
async function checkOtherSecret(tx: Tx, { lastPosition, keyId }: ReadHead): Promise<void> {
  const last = await tx
    .selectFrom("audit_log")
    .select(["position", "key_id"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  if (Number(last.position) !== lastPosition || last.key_id !== keyId) throw new AuditChainBroken();
}

/** What was counted in minutes that are over becomes entries. */
async function endMinutes(tx: Tx): Promise<void> {
  await sql`
    with ended as (
      delete from audit_counts where minute < date_trunc('minute', now()) returning minute, entry, count
    )
    insert into audit_pending (at, entry)
    select minute, jsonb_set(entry::jsonb, '{count}', to_jsonb(count))::json from ended order by minute`.execute(
    tx,
  );
}

/** Removes entries this old from the chain's beginning, in small transactions. What stays can be verified as before. */
export async function removeOldEntries(
  { db }: Pick<Store, "db">,
  key: AuditKey,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const count = await db.transaction().execute((tx) => removeSome(tx, key, days));
    if (count === 0) break;
    removed += count;
  }
  return removed;
}

const removedAtOnce = 5_000;

async function removeSome(tx: Tx, key: AuditKey, days: number): Promise<number> {
  if (!(await tryAdvisoryLock(tx, lock))) return 0;
  // Up to the first that is young enough: entries go from the beginning alone, as a chain has no gaps.
  const { rows } = await sql<{ position: string; seal: Buffer }>`
    with oldest as (select position, at, seal from audit_log order by position limit ${sql.lit(removedAtOnce)})
    select position, seal from oldest
     where position < coalesce((select min(position) from oldest
                                 where at >= now() - make_interval(days => ${days})), ${String(Number.MAX_SAFE_INTEGER)}::bigint)
     order by position desc limit 1`.execute(tx);
  const [last] = rows;
  if (last === undefined) return 0;
  const head = await holdingHead(tx, key);
  const { numDeletedRows } = await tx
    .deleteFrom("audit_log")
    .where("position", "<=", last.position)
    .executeTakeFirst();
  await writeHead(tx, key, { ...head, firstPosition: Number(last.position), firstSeal: last.seal });
  return Number(numDeletedRows);
}

type Parts = Pick<Context, "store" | "signer" | "log">;

const otherSecret =
  "the database was used last with another secret: unless it was changed on purpose, links and stored sign-ins of the " +
  "one do not hold with the other. Give all processes the same WHEELHOUSE_SECRET";

/** Seals what was recorded, each second, until it is stopped. Any number of processes may have one. */
export function createAuditSealer({ store, signer, log }: Parts): Recurring {
  const key = auditKey(signer);
  const onOtherSecret = (keyId: string) =>
    log.warn({ secret_before: keyId, secret_now: key.id }, otherSecret);
  const pass = async (signal: AbortSignal) => {
    while (!signal.aborted && (await sealPending(store, key, atOnce, onOtherSecret)) === atOnce);
  };
  return createRecurring(pass, betweenMs, (err) => log.warn({ err }, "the audit log could not be sealed"));
}

/** Removes what is older than `retention.audit` says, now and then. */
export function createAuditRetention({ store, signer, log }: Parts, days: number | null): Recurring {
  const key = auditKey(signer);
  const pass = async (signal: AbortSignal) => {
    if (days === null) return;
    const removed = await removeOldEntries(store, key, days, signal);
    if (removed > 0) log.info({ removed }, "removed entries of the audit log that were kept for long enough");
  };
  return createRecurring(pass, 3_600_000, (err) =>
    log.warn({ err }, "old entries of the audit log could not be removed"),
  );
}
