import { sql } from "kysely";
import type { LinkChange, RemoveItem, ShareItem } from "../../contract/access.ts";
import type { Ids } from "../context.ts";
import { inTeam, personOf } from "../permission/actor.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import { type AccessChange, foldEmail, invalidChange } from "./access-check.ts";
import type { LoadedArtifact } from "./artifact-rows.ts";
import type { Caller } from "./handler.ts";

/** A change that was checked, and what it needs beside it. */
export interface CheckedChange {
  readonly change: AccessChange;
  /** Of `link.password`, as it is kept; null without one. */
  readonly passwordHash: string | null;
  readonly caller: Caller;
  readonly ids: Ids;
}

/**
 * Removes, then adds, then sets the link, in the caller's transaction.
 * @returns the e-mails of newly granted people, the same for known and unknown ones
 * @throws ServiceError `invalid_access_change` naming the field, `forbidden` for a foreign team; nothing is changed then
 */
export async function applyAccessChange(
  tx: Tx,
  { artifact, people }: LoadedArtifact,
  checked: CheckedChange,
): Promise<readonly string[]> {
  const { share = [], remove = [], link } = checked.change;
  const owner = await ownerEmail(tx, artifact.user_id);
  const removed = remove.flatMap((item, at) => removedGrant(item, owner, `remove.${at}`));
  // Who is named twice has the later role.
  const given = new Map<string, Grant>();
  for (const [at, item] of share.entries()) {
    const grant = givenGrant(item, owner, checked.caller, `share.${at}`);
    if (grant !== null) given.set(`${grant.kind} ${grant.grantee}`, grant);
  }
  await deleteGrants(tx, artifact.id, removed);
  await insertGrants(tx, artifact.id, checked.caller, [...given.values()]);
  await setOrganization(tx, artifact.id, checked);
  if (link !== undefined) await setLink(tx, artifact, link, checked);
  await tx.updateTable("artifacts").set({ updated_at: sql`now()` }).where("id", "=", artifact.id).execute();
  const had = new Set(people.map(({ email }) => email));
  for (const { kind, grantee } of removed) if (kind === "person") had.delete(grantee);
  const granted = [...given.values()].filter(({ kind }) => kind === "person");
  return granted.map(({ grantee }) => grantee).filter((email) => !had.has(email));
}

async function ownerEmail(tx: Tx, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await tx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return row === undefined ? null : foldEmail(row.email);
}

interface Grantee {
  readonly kind: "person" | "team";
  readonly grantee: string;
}

interface Grant extends Grantee {
  readonly role: string;
}

/** @returns null for the organization, which is no row of its own */
function givenGrant(item: ShareItem, owner: string | null, caller: Caller, at: string): Grant | null {
  const { role } = item;
  switch (item.type) {
    case "person": {
      const email = foldEmail(item.email);
      if (email === owner) throw invalidChange("The owner's role cannot be changed.", `${at}.email`);
      return { kind: "person", grantee: email, role };
    }
    case "team":
      if (inTeam(caller, item.team_id)) return { kind: "team", grantee: item.team_id, role };
      throw new ServiceError("forbidden", {
        message: "You are not a member of this team.",
        param: `${at}.team_id`,
      });
    case "organization":
      return null;
  }
}

/** Removing what is not there is no error: the wanted state is reached. */
function removedGrant(item: RemoveItem, owner: string | null, at: string): Grantee[] {
  if (item.type === "organization") return [];
  if (item.type === "team") return [{ kind: "team", grantee: item.team_id }];
  const email = foldEmail(item.email);
  if (email === owner) throw invalidChange("The owner cannot be removed.", `${at}.email`);
  return [{ kind: "person", grantee: email }];
}

async function deleteGrants(tx: Tx, artifactId: string, gone: readonly Grantee[]): Promise<void> {
  for (const kind of ["person", "team"] as const) {
    const grantees = gone.filter((one) => one.kind === kind).map(({ grantee }) => grantee);
    if (grantees.length === 0) continue;
    await tx
      .deleteFrom("artifact_grants")
      .where("artifact_id", "=", artifactId)
      .where("kind", "=", kind)
      .where("grantee", "in", grantees)
      .execute();
  }
}

async function insertGrants(
  tx: Tx,
  artifactId: string,
  caller: Caller,
  given: readonly Grant[],
): Promise<void> {
  if (given.length === 0) return;
  await tx
    .insertInto("artifact_grants")
    .values(given.map((grant) => ({ ...grant, artifact_id: artifactId, granted_by: personOf(caller) })))
    .onConflict((conflict) =>
      conflict
        .columns(["artifact_id", "kind", "grantee"])
        .doUpdateSet((eb) => ({ role: eb.ref("excluded.role") })),
    )
    .execute();
}

async function setOrganization(tx: Tx, artifactId: string, { change, caller }: CheckedChange): Promise<void> {
  const { share = [], remove = [] } = change;
  const role = share.findLast((item) => item.type === "organization")?.role;
  if (role === undefined && !remove.some((item) => item.type === "organization")) return;
  await tx
    .updateTable("artifacts")
    .set({ organization_role: role ?? null, organization_by: role === undefined ? null : personOf(caller) })
    .where("id", "=", artifactId)
    .execute();
}

/**
 * A link that was closed gets a new address when it is opened again. Each change after which fewer may open it ends what
 * was signed for it before.
 */
async function setLink(
  tx: Tx,
  before: LoadedArtifact["artifact"],
  { mode, role }: LinkChange,
  { passwordHash, caller, ids }: CheckedChange,
): Promise<void> {
  const password = mode === "password" ? (passwordHash ?? before.link_password) : null;
  if (mode === "password" && password === null) {
    throw invalidChange("The link needs a password of 10 to 256 characters.", "link.password");
  }
  const rests = before.link_id !== null && (await opensNothing(tx, before));
  const opened = mode !== "none" && (before.link_id === null || rests);
  // Absent: as it is; null: the default.
  const kept = role === undefined ? before.link_role : role;
  await tx
    .updateTable("artifacts")
    .set({
      link_mode: mode,
      link_role: mode === "none" ? null : (kept ?? "viewer"),
      link_id: mode === "none" ? null : opened ? ids.make("link") : before.link_id,
      link_password: password,
      link_revision:
        !rests && mode === before.link_mode && password === before.link_password
          ? before.link_revision
          : before.link_revision + 1,
      ...(mode === "none" ? { link_by: null } : opened ? { link_by: personOf(caller) } : {}),
    })
    .where("id", "=", before.id)
    .execute();
  // What was guessed at the old address or password says nothing of the new one.
  if (opened) await tx.deleteFrom("link_tries").where("artifact_id", "=", before.id).execute();
  if (password !== before.link_password)
    await tx.deleteFrom("link_visitors").where("artifact_id", "=", before.id).execute();
}

/** Whether who shared the link is deactivated: whoever opens it now makes another, which is theirs. */
async function opensNothing(tx: Tx, artifact: LoadedArtifact["artifact"]): Promise<boolean> {
  const sharedBy = artifact.link_by ?? artifact.user_id;
  if (sharedBy === null) return false;
  const person = tx.selectFrom("users").select("deactivated_at").where("id", "=", sharedBy);
  return ((await person.executeTakeFirst())?.deactivated_at ?? null) !== null;
}
