import { type Kysely, sql } from "kysely";
import type { Ids } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "../store/schema.ts";
import { hashSecret, makeSecret, prefixOf } from "./key.ts";

/** Whose a key is: a personal key is a person's, a team key a team's (§5.4). */
export interface KeyOwner {
  readonly kind: "person" | "team";
  readonly id: string;
}

/** A key as lists show it. The secret is kept nowhere. */
export interface KeyRow {
  readonly id: string;
  readonly kind: "personal" | "team" | "token";
  readonly prefix: string;
  readonly ownerId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key that somebody else chose, such as one from the environment, must be at least so long. */
const shortestSecret = 20;

/**
 * Makes a key. The secret is in the answer and nowhere else: show it once.
 * @throws ServiceError `not_found` without such an owner, `plan_upgrade_required` below Pro (§5.3)
 */
export async function createKey(
  db: Kysely<Database>,
  ids: Ids,
  owner: KeyOwner,
  name: string,
  expiresInDays: number | null = null,
): Promise<{ readonly id: string; readonly secret: string }> {
  await checkPlan(db, owner);
  const kind = owner.kind === "person" ? "personal" : "team";
  const { secret, prefix, hash } = makeSecret(kind);
  const id = ids.make("key");
  await db
    .insertInto("credentials")
    .values({
      ...{ id, kind, prefix, hash, name, ...ownerColumns(owner) },
      expires_at: expiresInDays === null ? null : sql<Date>`now() + make_interval(days => ${expiresInDays})`,
    })
    .execute();
  return { id, secret };
}

/**
 * Accepts a key that was chosen elsewhere, as it is. Doing it again changes nothing; one that was revoked stays revoked.
 * @param secret at least `shortestSecret` printable characters without spaces
 * @throws ServiceError `invalid_parameter` for other texts and for a secret that is already another owner's key
 */
export async function ensureKey(
  db: Kysely<Database>,
  ids: Ids,
  owner: KeyOwner,
  name: string,
  secret: string,
): Promise<void> {
  if (!/^[!-~]+$/.test(secret) || secret.length < shortestSecret) {
    throw new ServiceError("invalid_parameter", {
      message: `${name} must be a key of at least ${shortestSecret} printable characters without spaces.`,
      param: name,
    });
  }
  const hash = hashSecret(secret);
  const kind = owner.kind === "person" ? "personal" : "team";
  await db
    .insertInto("credentials")
    .values({ id: ids.make("key"), kind, prefix: prefixOf(secret), hash, name, ...ownerColumns(owner) })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  const held = await db
    .selectFrom("credentials")
    .select(["user_id", "team_id"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  if ((held?.team_id ?? held?.user_id) !== owner.id) {
    throw new ServiceError("invalid_parameter", {
      message: `${name} must be a key of its own: this one belongs to somebody else.`,
      param: name,
    });
  }
}

/** All keys and access tokens that still work, newest first; `revoked` adds those that do not. */
export async function listKeys(db: Kysely<Database>, { revoked = false } = {}): Promise<readonly KeyRow[]> {
  let query = db.selectFrom("credentials").selectAll().orderBy("created_at", "desc").orderBy("id");
  if (!revoked) {
    query = query
      .where("revoked_at", "is", null)
      .where((where) =>
        where.or([where("expires_at", "is", null), where("expires_at", ">", sql<Date>`now()`)]),
      );
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    prefix: row.prefix,
    ownerId: row.team_id ?? row.user_id ?? "",
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }));
}

/** The next request with it is refused. @returns false when there is no such key, or it was revoked before */
export async function revokeKey(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("credentials")
    .set({ revoked_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function ownerColumns(owner: KeyOwner) {
  return owner.kind === "person"
    ? { user_id: owner.id, team_id: null }
    : { user_id: null, team_id: owner.id };
}

async function checkPlan(db: Kysely<Database>, owner: KeyOwner): Promise<void> {
  const found = await db
    .selectFrom(owner.kind === "person" ? "users" : "teams")
    .select("plan")
    .where("id", "=", owner.id)
    .executeTakeFirst();
  if (!found) {
    throw new ServiceError("not_found", {
      message: `There is no ${owner.kind} with the id ${owner.id}.`,
      param: owner.kind,
    });
  }
  if (found.plan === "free") {
    throw new ServiceError("plan_upgrade_required", {
      message: `API keys need the Pro plan or above, and ${owner.id} has the plan free.`,
    });
  }
}
