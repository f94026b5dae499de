import { sql } from "kysely";
import { recordService } from "../audit/record.ts";
import type { Ids } from "../context.ts";
import type { Tx } from "../store/store.ts";
import { applyGrants } from "./apply-grants.ts";
import type { Claimed } from "./claims.ts";
import { grantsOf } from "./grants.ts";
import type { RefusalReason } from "./refusal.ts";
import type { SignInSettings } from "./settings.ts";

/** Who somebody of the provider is here, or why they stay out. */
export type Admitted =
  | { readonly type: "in"; readonly userId: string }
  | { readonly type: "out"; readonly reason: RefusalReason };

/**
 * Finds the person of a sign-in: whom the provider's own id names; else, by an address that the provider says is verified,
 * somebody who is here already; else a new one. Whoever is in no mapped group hears nothing of who is here. Their groups count
 * from now on. The caller holds the lock under which people change.
 */
export async function admit(tx: Tx, ids: Ids, settings: SignInSettings, claimed: Claimed): Promise<Admitted> {
  const { issuer } = settings;
  const { subject, groups } = claimed;
  const grants = grantsOf(settings, groups);
  const known = await tx
    .selectFrom("oidc_identities")
    .innerJoin("users", "users.id", "oidc_identities.user_id")
    .select(["oidc_identities.user_id", "users.deactivated_at"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (!grants.isIn) {
    if (known) await applyGrants(tx, issuer, subject, grants);
    return { type: "out", reason: "no_group" };
  }
  const found = known
    ? { id: known.user_id, deactivated_at: known.deactivated_at }
    : await findByEmail(tx, settings, claimed);
  if ("reason" in found) return { type: "out", reason: found.reason };
  if (found.deactivated_at !== null) return { type: "out", reason: "deactivated" };
  const userId = found.id ?? (await makePerson(tx, ids, settings, claimed));
  // Of an issuer before this one nothing counts.
  await tx
    .updateTable("oidc_identities")
    .set({ is_in: false })
    .where("user_id", "=", userId)
    .where("issuer", "<>", issuer)
    .where("is_in", "=", true)
    .execute();
  await tx
    .insertInto("oidc_identities")
    .values({
      ...{ issuer, subject, user_id: userId, made_person: found.id === null, is_in: true },
      groups,
      ...checkedNow,
    })
    .onConflict((conflict) =>
      conflict.columns(["issuer", "subject"]).doUpdateSet({ groups, is_in: true, ...checkedNow }),
    )
    .execute();
  await applyGrants(tx, issuer, subject, grants);
  return { type: "in", userId };
}

/** When groups that were just asked for are asked for again: beside a request, and before one is answered. */
export const checkedNow = {
  checked_at: sql<Date>`now()`,
  check_from: sql<Date>`now() + interval '10 minutes'`,
  check_by: sql<Date>`now() + interval '15 minutes'`,
};

/** An address alone proves nothing: the provider has to say that it is theirs. The answer is the same whoever is here. */
async function findByEmail(
  tx: Tx,
  { issuer }: SignInSettings,
  { email, isEmailVerified }: Claimed,
): Promise<
  { readonly id: string | null; readonly deactivated_at: Date | null } | { readonly reason: RefusalReason }
> {
  if (email === null) return { reason: "no_email" };
  if (!isEmailVerified) return { reason: "email_unverified" };
  const person = await tx
    .selectFrom("users")
    .select(["id", "deactivated_at"])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  if (!person) return { id: null, deactivated_at: null };
  const other = await tx
    .selectFrom("oidc_identities")
    .select("subject")
    .where("user_id", "=", person.id)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  // The address went to somebody else there: what the one before has here is not theirs.
  return other ? { reason: "email_in_use" } : person;
}

async function makePerson(tx: Tx, ids: Ids, { plan }: SignInSettings, claimed: Claimed): Promise<string> {
  const id = ids.make("user");
  await tx
    .insertInto("users")
    .values({
      ...{ id, email: claimed.email ?? "", first_name: claimed.firstName, last_name: claimed.lastName },
      ...{ plan, profile_picture: null },
    })
    .execute();
  const name = [claimed.firstName, claimed.lastName].filter(Boolean).join(" ") || claimed.email;
  await recordService(tx, [{ action: "person.create", object: { kind: "person", id, name } }]);
  return id;
}
