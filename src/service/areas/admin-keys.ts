import { type Selectable, sql } from "kysely";
import type { ApiKey } from "../../contract/admin-keys.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import { changesOf, shownChange } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { createKey as makeKey, revokeKey as revoke } from "../credentials/keys.ts";
import { requireMakerOutlives } from "../credentials/maker-end.ts";
import { endSessions, isOpenSession } from "../credentials/sessions.ts";
import { forgetEnded } from "../oidc/end-session.ts";
import { mayManageTeam, requireManager, requirePerson, requireSelfOrAdmin } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import { anyIn } from "../store/prepared.ts";
import type { CredentialsTable, TeamsTable } from "../store/schema.ts";
import type { Caller, Handlers, Request } from "./handler.ts";
import { fetchPage, newestFirst, timeKey } from "./page.ts";

type Keys = Pick<
  Handlers<typeof endpoints>,
  "listKeys" | "createKey" | "revokeKey" | "listConsoleSessions" | "endConsoleSession" | "endConsoleSessions"
>;
type Row = Selectable<CredentialsTable>;

/** Whose keys or sessions are meant. */
type Owner =
  | { readonly type: "person"; readonly id: string }
  | { readonly type: "team"; readonly id: string };

/** @throws ServiceError `forbidden` (403) for those of others that the caller does not look after */
function ownerOf(
  caller: Caller,
  { user_id, team_id }: { user_id?: string | null | undefined; team_id?: string | null | undefined },
): Owner {
  const person = requirePerson(caller);
  if (user_id != null) requireSelfOrAdmin(caller, user_id, "user_id");
  if (team_id == null) return { type: "person", id: storableText(user_id ?? person.userId) };
  requireManager(caller, team_id);
  if (user_id != null)
    throw new ServiceError("invalid_parameter", {
      message: "Name the person (user_id) or the team (team_id), not both.",
      param: "team_id",
    });
  return { type: "team", id: storableText(team_id) };
}

/** One page of credentials of an owner, newest first. */
async function pageOf(
  { store: { db } }: Context,
  owner: Owner,
  kinds: "keys" | "sessions",
  query: { page_size?: number | undefined; cursor?: string | undefined },
) {
  const list = `${kinds}:${owner.type}:${owner.id}`;
  let rows = db
    .selectFrom("credentials")
    .selectAll()
    .select(timeKey("created_at").as("key"))
    .where(owner.type === "person" ? "user_id" : "team_id", "=", owner.id);
  rows = kinds === "sessions" ? rows.where(isOpenSession) : rows.where("kind", "<>", "token");
  rows = rows.where("revoked_at", "is", null);
  return await fetchPage(rows, list, newestFirst(sql`created_at`, sql`id`), query);
}

const time = (date: Date | null) => date?.toISOString() ?? null;
const usedFrom = (row: Row) => ({ address: row.used_from_address, user_agent: row.used_from_agent });
const madeFrom = (row: Row) => ({ address: row.made_from_address, user_agent: row.made_from_agent });

/** Keys with whose they are. */
async function showKeys({ store: { db }, clock }: Context, rows: readonly Row[]): Promise<ApiKey[]> {
  const people = await loadPeople(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const ids = rows.flatMap(({ team_id }) => (team_id === null ? [] : [team_id]));
  const found = await db.selectFrom("teams").selectAll().where("id", "=", anyIn(ids)).execute();
  const teams = new Map(found.map((team) => [team.id, team]));
  return rows.flatMap((row) => {
    if (row.kind === "token") return [];
    const user = people.get(row.user_id ?? "");
    const team = teams.get(row.team_id ?? "");
    return {
      ...{ id: row.id, kind: row.kind, name: row.name, prefix: row.prefix },
      user: user === undefined ? null : showPerson(user),
      team: team === undefined ? null : { id: team.id, name: team.name },
      created_at: row.created_at.toISOString(),
      last_used_at: time(row.last_used_at),
      last_used_from: usedFrom(row),
      expires_at: time(row.expires_at),
      state: keyState(row, user, team, clock.now()),
    };
  });
}

/** As `callerColumns` decides it. */
function keyState(
  { kind, expires_at }: Row,
  user: PersonRow | undefined,
  team: Selectable<TeamsTable> | undefined,
  now: Date,
): ApiKey["state"] {
  if (expires_at !== null && expires_at <= now) return "expired";
  if (user != null && user.deactivated_at !== null) return "inactive";
  // Outside of all groups, until they sign in with the identity provider again.
  if (user != null && user.barred_at !== null && kind === "personal") return "inactive";
  if (team != null && team.retired_at !== null) return "inactive";
  return (user ?? team)?.plan === "free" ? "no_plan" : "active";
}

/** Own. */
const listKeys: Keys["listKeys"] = async (context, { caller, query }) => {
  const page = await pageOf(context, ownerOf(caller, query), "keys", query);
  return {
    type: "body",
    body: { keys: await showKeys(context, page.rows), next_cursor: page.next_cursor },
  };
};

/** Own: the secret goes out once. */
const createKey: Keys["createKey"] = async (context, request) => {
  const { caller, body } = request;
  const { db } = context.store;
  const owner = ownerOf(caller, { team_id: body.team_id });
  const name = storableText(body.name);
  const expires_in_days = body.expires_in_days ?? null;
  const { made, recorded } = await db.transaction().execute(async (tx) => {
    await requireMakerOutlives(tx, caller, { days: expires_in_days, param: "expires_in_days" });
    const made = await makeKey(tx, context.ids, { kind: owner.type, id: owner.id }, name, expires_in_days);
    const recorded = await record(tx, request, {
      action: "key.create",
      object: { kind: "key", id: made.id, name },
      teamId: owner.type === "team" ? owner.id : null,
      changes: changesOf("key", null, { name, expires_in_days }),
    });
    return { made, recorded };
  });
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("id", "=", made.id)
    .executeTakeFirstOrThrow();
  const [key] = await showKeys(context, [row]);
  if (key === undefined) throw new Error("a key was made that is none");
  return { type: "body", body: { key, secret: made.secret }, recorded };
};

/** Revokes a key or ends a session, with its entry. Of two at once the second finds nothing to do. */
async function revokeRecorded(
  { store: { db } }: Context,
  request: Request<typeof endpoints.revokeKey> | Request<typeof endpoints.endConsoleSession>,
  row: Row,
) {
  return await db.transaction().execute(async (tx) => {
    if (!(await revoke(tx, row.id))) return nothingChanged();
    if (row.user_id !== null) await forgetEnded(tx, row.user_id);
    const isSession = row.kind === "token";
    return await record(tx, request, {
      action: isSession ? "session.end" : "key.revoke",
      object: { kind: isSession ? "session" : "key", id: row.id, name: row.name },
      teamId: row.team_id,
    });
  });
}

/** A key of which the caller may know; else there is nothing. */
async function ownedCredential({ store: { db } }: Context, caller: Caller, id: string, param: string) {
  const person = requirePerson(caller);
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  const isOwn = row !== undefined && row.user_id === person.userId;
  if (row !== undefined && (isOwn || mayManageTeam(caller, row.team_id))) return row;
  throw new ServiceError("not_found", { message: "There is no such credential.", param });
}

/** Own. */
const revokeKey: Keys["revokeKey"] = async (context, request) => {
  const row = await ownedCredential(context, request.caller, request.params.key_id, "key_id");
  if (row.kind === "token") throw new ServiceError("not_found", { param: "key_id" });
  return { type: "none", recorded: await revokeRecorded(context, request, row) };
};

/** Own. */
const listConsoleSessions: Keys["listConsoleSessions"] = async (context, { caller, query }) => {
  const page = await pageOf(context, ownerOf(caller, query), "sessions", query);
  const sessions = page.rows.map((row) => ({
    id: row.id,
    current: row.id === caller.credentialId,
    created_at: row.created_at.toISOString(),
    last_used_at: time(row.last_used_at),
    expires_at: time(row.expires_at) ?? "",
    signed_in_from: madeFrom(row),
    last_used_from: usedFrom(row),
  }));
  return { type: "body", body: { sessions, next_cursor: page.next_cursor } };
};

/** Own. */
const endConsoleSession: Keys["endConsoleSession"] = async (context, request) => {
  const row = await ownedCredential(context, request.caller, request.params.session_id, "session_id");
  // The token of a program is no session: what it may do is ended as a whole.
  if (row.kind !== "token" || row.connection_id !== null)
    throw new ServiceError("not_found", { param: "session_id" });
  return { type: "none", recorded: await revokeRecorded(context, request, row) };
};

/** Own. */
const endConsoleSessions: Keys["endConsoleSessions"] = async (context, request) => {
  const { caller, query } = request;
  const { id } = ownerOf(caller, { user_id: query.user_id });
  const but = query.keep_current === true ? caller.credentialId : null;
  const { ended, recorded } = await context.store.db.transaction().execute(async (tx) => {
    const ended = await endSessions(tx, id, but);
    if (ended === 0) return { ended, recorded: nothingChanged() };
    await forgetEnded(tx, id);
    const changes = [shownChange("sessions", ended, 0)];
    const object = { kind: "person", id } as const;
    return { ended, recorded: await record(tx, request, { action: "session.end", object, changes }) };
  });
  return { type: "body", body: { ended }, recorded };
};

export const adminKeyHandlers: Keys = {
  listKeys,
  createKey,
  revokeKey,
  listConsoleSessions,
  endConsoleSession,
  endConsoleSessions,
};
