import { sql } from "kysely";
import type { LinkChange, RemoveItem, ShareItem } from "../../contract/access.ts";
import { inTeam } from "../permission/actor.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import type { LoadedArtifact } from "./artifact-rows.ts";
import type { Caller } from "./handler.ts";

/** The change that a PUT asks for (§4.7). */
export interface AccessChange {
  readonly share?: readonly ShareItem[] | undefined;
  readonly remove?: readonly RemoveItem[] | undefined;
  readonly link?: LinkChange | undefined;
}

export function changesNothing({ share = [], remove = [], link }: AccessChange): boolean {
  return share.length === 0 && remove.length === 0 && link === undefined;
}

/** Roles that can be given; `owner` is its creator's alone. */
const given = ["viewer", "editor"];
const emailForm = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,190}$/;

/**
 * Removes, then adds, then sets the link, in the caller's transaction.
 * @returns the e-mails of newly granted people, the same for known and unknown ones
 * @throws ServiceError `invalid_access_change` naming the field, `forbidden` for a foreign team; nothing is changed then
 */
export async function applyAccessChange(
  tx: Tx,
  caller: Caller,
  { artifact, people }: LoadedArtifact,
  change: AccessChange,
): Promise<readonly string[]> {
  const owner = await ownerEmail(tx, artifact.user_id);
  for (const [index, item] of (change.remove ?? []).entries()) {
    await remove(tx, artifact.id, owner, item, `remove.${index}`);
  }
  const notified = new Set<string>();
  const removed = new Set(
    (change.remove ?? []).flatMap((item) => (item.type === "person" ? [fold(item.email)] : [])),
  );
  for (const [index, item] of (change.share ?? []).entries()) {
    await share(tx, caller, artifact.id, owner, item, `share.${index}`);
    if (item.type !== "person") continue;
    const email = fold(item.email);
    if (removed.has(email) || !people.some((person) => person.email === email)) notified.add(email);
  }
  if (change.link !== undefined) await setLink(tx, artifact.id, change.link);
  await tx.updateTable("artifacts").set({ updated_at: sql`now()` }).where("id", "=", artifact.id).execute();
  return [...notified];
}

async function ownerEmail(tx: Tx, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await tx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return row === undefined ? null : fold(row.email);
}

async function share(
  tx: Tx,
  caller: Caller,
  artifactId: string,
  owner: string | null,
  item: ShareItem,
  at: string,
): Promise<void> {
  const role = checkRole(item.role, `${at}.role`);
  switch (item.type) {
    case "person": {
      const email = fold(item.email);
      if (!emailForm.test(email)) throw invalid(`${at}.email is no e-mail address.`, `${at}.email`);
      if (email === owner) throw invalid("The owner's role cannot be changed.", `${at}.email`);
      return grant(tx, artifactId, "person", email, role);
    }
    case "team":
      if (!inTeam(caller, item.team_id)) {
        throw new ServiceError("forbidden", {
          message: "You are not a member of this team.",
          param: `${at}.team_id`,
        });
      }
      return grant(tx, artifactId, "team", item.team_id, role);
    case "organization":
      await tx
        .updateTable("artifacts")
        .set({ organization_role: role })
        .where("id", "=", artifactId)
        .execute();
  }
}

async function grant(tx: Tx, artifactId: string, kind: "person" | "team", grantee: string, role: string) {
  await tx
    .insertInto("artifact_grants")
    .values({ artifact_id: artifactId, kind, grantee, role })
    .onConflict((conflict) => conflict.columns(["artifact_id", "kind", "grantee"]).doUpdateSet({ role }))
    .execute();
}

/** Removing what is not there is no error: the wanted state is reached. */
async function remove(tx: Tx, artifactId: string, owner: string | null, item: RemoveItem, at: string) {
  if (item.type === "organization") {
    await tx.updateTable("artifacts").set({ organization_role: null }).where("id", "=", artifactId).execute();
    return;
  }
  const grantee = item.type === "person" ? fold(item.email) : item.team_id;
  if (item.type === "person" && grantee === owner)
    throw invalid("The owner cannot be removed.", `${at}.email`);
  await tx
    .deleteFrom("artifact_grants")
    .where("artifact_id", "=", artifactId)
    .where("kind", "=", item.type)
    .where("grantee", "=", grantee)
    .execute();
}

async function setLink(tx: Tx, artifactId: string, link: LinkChange): Promise<void> {
  if (link.mode === "password" || link.password !== undefined) {
    throw invalid("This service cannot keep a password for a link.", "link.mode");
  }
  const role = link.role == null ? null : checkRole(link.role, "link.role");
  await tx
    .updateTable("artifacts")
    .set({ link_mode: link.mode, link_role: link.mode === "none" ? null : (role ?? "viewer") })
    .where("id", "=", artifactId)
    .execute();
}

function checkRole(role: string, param: string): string {
  if (given.includes(role)) return role;
  throw invalid(`${param} must be one of ${given.join(", ")}.`, param);
}

function fold(email: string): string {
  return email.trim().toLowerCase();
}

function invalid(message: string, param: string): ServiceError {
  return new ServiceError("invalid_access_change", { message, param });
}
