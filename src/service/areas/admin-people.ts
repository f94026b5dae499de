import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { changesOf, shownChange } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { endSessions } from "../credentials/sessions.ts";
import { createInvitation } from "../credentials/sign-in.ts";
import { endConnections } from "../oauth/connections.ts";
import { forgetEnded } from "../oidc/end-session.ts";
import {
  isInstallationAdmin,
  managedTeamsOf,
  requireAdmin,
  requirePerson,
  requireSelfOrAdmin,
} from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import type { UsersTable } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import {
  changing,
  checkEmail,
  checkLastAdmin,
  checkManaged,
  checkVersion,
  differing,
  lockedPerson,
  lockedTeam,
  nameOfPerson,
  noPerson,
} from "./admin-changes.ts";
import { holds, inState, personNameKey, showAdminPerson, showPeople } from "./admin-view.ts";
import type { Handlers } from "./handler.ts";
import { byName, fetchPage } from "./page.ts";

type People = Pick<
  Handlers<typeof endpoints>,
  "listPeople" | "getPerson" | "invitePerson" | "updatePerson" | "renewInvitation"
>;

/** Own: by name. */
const listPeople: People["listPeople"] = async ({ store: { db } }, { caller, query }) => {
  requirePerson(caller);
  if (!isInstallationAdmin(caller) && managedTeamsOf(caller).length === 0) {
    throw new ServiceError("forbidden", { message: "This is for admins of the installation or of a team." });
  }
  let rows = db.selectFrom("users").selectAll().select(personNameKey.as("key"));
  if (query.search !== undefined)
    rows = rows.where(
      holds(sql`users.first_name || ' ' || users.last_name || ' ' || users.email`, query.search),
    );
  if (query.state !== undefined) rows = rows.where(inState[query.state]);
  const page = await fetchPage(rows, "people:name", byName(personNameKey, sql`users.id`), query);
  return {
    type: "body",
    body: { people: await showPeople(db, page.rows), next_cursor: page.next_cursor },
  };
};

/** Own. */
const getPerson: People["getPerson"] = async ({ store: { db } }, { caller, params }) => {
  requireSelfOrAdmin(caller, params.user_id);
  const row = await db.selectFrom("users").selectAll().where("id", "=", params.user_id).executeTakeFirst();
  if (row === undefined) throw noPerson();
  return { type: "body", body: { person: await showAdminPerson(db, row) } };
};

/** Own: the person and the link are made together. */
const invitePerson: People["invitePerson"] = async (context, request) => {
  const { caller, body } = request;
  requireAdmin(caller);
  const email = storableText(body.email);
  const { row, invitation, recorded } = await changing(context, async (tx) => {
    await checkEmail(tx, email, null);
    const made = await tx
      .insertInto("users")
      .values({
        ...{ id: context.ids.make("user"), email, profile_picture: null },
        ...{ first_name: storableText(body.first_name), last_name: storableText(body.last_name) },
        ...{ plan: body.plan ?? "pro", role: body.role ?? "member", invited_at: sql<Date>`now()` },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const teams = new Map((body.teams ?? []).map((team) => [team.id, team.role]));
    for (const [id, role] of teams) {
      const team = await lockedTeam(tx, id);
      checkManaged(team.managed, ["members"]);
      await tx.insertInto("team_members").values({ team_id: team.id, user_id: made.id, role }).execute();
    }
    const { first_name, last_name, plan, role } = made;
    const recorded = await record(tx, request, {
      action: "person.invite",
      object: { kind: "person", id: made.id, name: nameOfPerson(made) },
      changes: [
        ...changesOf("person", null, { email, first_name, last_name, plan, role }),
        ...[...teams].map(([id, role]) => shownChange(`team ${id}`, null, role)),
      ],
    });
    return { row: made, invitation: await invite(context, tx, made.id), recorded };
  });
  const person = await showAdminPerson(context.store.db, row);
  return { type: "body", body: { person, invitation }, recorded };
};

async function invite({ publicUrl }: Context, tx: Tx, userId: string) {
  const { token, expiresAt } = await createInvitation(tx, userId);
  return { url: `${publicUrl}/#sign-in=${token}`, expires_at: expiresAt.toISOString() };
}

/** Own: what the file says stays as it is; a value that is sent and is there already changes nothing. */
const updatePerson: People["updatePerson"] = async (context, request) => {
  const { caller, params, body } = request;
  requireAdmin(caller);
  const { row, recorded } = await changing(context, async (tx) => {
    const current = await lockedPerson(tx, params.user_id);
    checkVersion(current.version, body.version);
    const { email, first_name, last_name, plan, role, active } = body;
    const texts = { email, first_name, last_name };
    const stored = Object.fromEntries(
      Object.entries(texts).map(([field, text]) => [field, text == null ? text : storableText(text)]),
    );
    const fields = differing(current, { ...stored, plan, role });
    checkManaged(current.managed, fields);
    if (current.role_by_groups && fields.includes("role"))
      throw new ServiceError("managed_by_provider", { param: "role" });
    const isActive = current.deactivated_at === null;
    const turns = active != null && active !== isActive;
    if (fields.length === 0 && !turns) return { row: current, recorded: nothingChanged() };
    if (fields.includes("email") && stored.email != null) await checkEmail(tx, stored.email, current.id);
    const endsAdmin = current.role === "admin" && isActive;
    if (endsAdmin && turns) await checkLastAdmin(tx, current.id, "active");
    if (endsAdmin && fields.includes("role")) await checkLastAdmin(tx, current.id, "role");
    if (turns && isActive) await endAll(tx, current.id);
    const values = { ...stored, plan, role };
    const row = await tx
      .updateTable("users")
      .set({
        ...Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)),
        ...(turns && { deactivated_at: isActive ? sql<Date>`now()` : null }),
        version: sql`version + 1`,
      })
      .where("id", "=", current.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "person.update",
      object: { kind: "person", id: row.id, name: nameOfPerson(row) },
      changes: changesOf("person", recordedFields(current), recordedFields(row)),
    });
    return { row, recorded };
  });
  const person = await showAdminPerson(context.store.db, row);
  return { type: "body", body: { person }, recorded };
};

function recordedFields({
  email,
  first_name,
  last_name,
  plan,
  role,
  deactivated_at,
}: Selectable<UsersTable>) {
  return { email, first_name, last_name, plan, role, active: deactivated_at === null };
}

/** Sessions, sign-in links and programs of somebody who is deactivated do not come back. Keys rest, and work again with their person. */
async function endAll(tx: Tx, userId: string): Promise<void> {
  await endSessions(tx, userId, null);
  await endConnections(tx, { user_id: userId });
  await tx.deleteFrom("sign_in_links").where("user_id", "=", userId).execute();
  await forgetEnded(tx, userId);
}

/** Own. */
const renewInvitation: People["renewInvitation"] = async (context, request) => {
  const { caller, params } = request;
  requireAdmin(caller);
  const { invitation, recorded } = await changing(context, async (tx) => {
    const person = await lockedPerson(tx, params.user_id);
    if (person.deactivated_at !== null) throw new ServiceError("person_inactive", { param: "user_id" });
    const object = { kind: "person", id: person.id, name: nameOfPerson(person) } as const;
    const recorded = await record(tx, request, { action: "person.renew_invitation", object });
    return { invitation: await invite(context, tx, person.id), recorded };
  });
  return { type: "body", body: { invitation }, recorded };
};

export const adminPeopleHandlers: People = {
  listPeople,
  getPerson,
  invitePerson,
  updatePerson,
  renewInvitation,
};
