import { queryOptions } from "@tanstack/react-query";
import { explainPermissions, getOwnRoles, permissionObjects } from "../../../contract/admin.ts";
import { type ApiKey, listConsoleSessions, listKeys, type Session } from "../../../contract/admin-keys.ts";
import { type AdminPerson, getOwned, getPerson, listPeople } from "../../../contract/admin-people.ts";
import {
  type AdminTeam,
  getTeam,
  listAdminTeams,
  listTeamMembers,
  type TeamMember,
} from "../../../contract/admin-teams.ts";
import { type AuditEntry, auditActions, auditObjects, listAudit } from "../../../contract/audit.ts";
import type { Received } from "../../../contract/define.ts";
import { getDiagnostics } from "../../../contract/diagnostics.ts";
import {
  type ConnectedProgram,
  getProgramRequest,
  listConnectedPrograms,
  listPrograms,
  type Program,
} from "../../../contract/programs.ts";
import { search } from "../../../contract/search.ts";
import { call, type DataOf } from "../../api/client.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { once, slow } from "../../api/poll.ts";
import { keyOf, pollOptions, readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { findObjects, type PermissionObject } from "./permissions/find-objects.ts";
import type { AdminSearch } from "./search.ts";

/** Rows of lists as they may really come; those without an id are left out. */
export type PersonRow = Received<AdminPerson> & { readonly id: string };
export type TeamRow = Received<AdminTeam> & { readonly id: string };
export type KeyRow = Received<ApiKey> & { readonly id: string };
export type SessionRow = Received<Session> & { readonly id: string };
export type AuditRow = Received<AuditEntry> & { readonly id: string };
export type ConnectedRow = Received<ConnectedProgram> & { readonly id: string };
export type ProgramRow = Received<Program> & { readonly id: string };
export type ProgramRequest = DataOf<typeof getProgramRequest>;
export type MemberRow = Received<TeamMember> & { readonly id: string };

const people = rowsIn<typeof listPeople, PersonRow>("people", "id");
const teams = rowsIn<typeof listAdminTeams, TeamRow>("teams", "id");
const keys = rowsIn<typeof listKeys, KeyRow>("keys", "id");
const sessions = rowsIn<typeof listConsoleSessions, SessionRow>("sessions", "id");
const connected = rowsIn<typeof listConnectedPrograms, ConnectedRow>("connections", "id");
const programs = rowsIn<typeof listPrograms, ProgramRow>("programs", "id");
const entries = rowsIn<typeof listAudit, AuditRow>("entries", "id");
const members = {
  pageOf: (data: DataOf<typeof listTeamMembers>) => ({
    rows: (data.members ?? []).flatMap((row) => (row?.user?.id ? [{ ...row, id: row.user.id }] : [])),
    cursor: data.next_cursor || null,
  }),
  idOf: ({ id }: MemberRow) => id,
};

const polled = { policy: slow };
const states = ["active", "invited", "deactivated"] as const;

/** A page of a list, with what narrows it. */
const fifty =
  <Q extends object>(query: Q) =>
  (page: { readonly cursor?: string }) => ({ query: { ...query, page_size: 50, ...page } });

const ofUser = (user: string | undefined) => (user !== undefined ? { user_id: user } : {});

/** People by name, page by page. Own: for admins. */
export const peoplePages = (api: Api, { q, state }: Pick<AdminSearch, "q" | "state">) => {
  const known = states.find((one) => one === state);
  const query = { ...(q !== undefined && { search: q }), ...(known !== undefined && { state: known }) };
  return paged(api, listPeople, fifty(query), people, polled);
};

/** The person's teams by name, for admins all; with `state` `retired` those that are. */
export const teamPages = (api: Api, { q, state }: Pick<AdminSearch, "q" | "state">) => {
  const query = { ...(q !== undefined && { search: q }), ...(state === "retired" && { retired: true }) };
  return paged(api, listAdminTeams, fifty(query), teams, polled);
};

/** Who is in a team, by name. */
export const memberPages = (api: Api, teamId: string) => {
  const params = { team_id: teamId };
  return paged(api, listTeamMembers, (page) => ({ params, ...fifty({})(page) }), members, polled);
};

/** Keys, newest first: one's own, a team's or another person's. */
export const keyPages = (api: Api, { user, team }: Pick<AdminSearch, "user" | "team">) =>
  paged(api, listKeys, fifty(team !== undefined ? { team_id: team } : ofUser(user)), keys, polled);

/** Where somebody is signed in, newest first: the person, or for admins another one. */
export const sessionPages = (api: Api, { user }: Pick<AdminSearch, "user">) =>
  paged(api, listConsoleSessions, fifty(ofUser(user)), sessions, polled);

/** The programs that the person has let in, newest first; for admins also another's. */
export const connectedPages = (api: Api, { user }: Pick<AdminSearch, "user">) =>
  paged(api, listConnectedPrograms, fifty(ofUser(user)), connected, polled);

/** The programs that may ask people, newest first: for admins. */
export const programPages = (api: Api) => paged(api, listPrograms, fifty({}), programs, polled);

/** The midnight in which a day begins here, or the one after it; none for what is no day. */
function midnight(day: string | undefined, after = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "") ?? [];
  if (year === undefined) return undefined;
  const time = new Date(Number(year), Number(month) - 1, Number(date) + after);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** What of the address narrows the audit log, as the service takes it; what it would not take is left out. */
export function auditFilters({ user, object, object_id, action, from, to }: AdminSearch) {
  const kind = auditObjects.find((one) => one === object);
  const known = auditActions.find((one) => one === action);
  const [since, until] = [midnight(from), midnight(to, 1)];
  return {
    ...(user !== undefined && { by: user }),
    ...(kind !== undefined && { object: kind }),
    ...(kind !== undefined && object_id !== undefined && { object_id }),
    ...(known !== undefined && { action: known }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
}

/** Who changed what, the newest first. */
export const auditPages = (api: Api, search: AdminSearch) =>
  paged(api, listAudit, fifty(auditFilters(search)), entries, polled);

/** Who and what the address asks about; null while it does not say. @param me whom it is about where it names no one */
export function askedPermissions({ user = undefined, object, object_id }: AdminSearch, me: string | null) {
  const kind = permissionObjects.find((one) => one === object);
  const of = user ?? me;
  if (kind === undefined || object_id === undefined || of === null) return null;
  return { user: of, object: kind, object_id };
}

/** Other reads of the administration (own, `can("admin")`). */
export const adminQueries = {
  /** What this person may do, in the whole installation and in each of their teams. */
  roles: (api: Api) => readOptions(api, getOwnRoles, {}, { ...polled, staleTime: 10_000 }),

  /** What is wrong with the installation. Each look asks everything that it needs, so that nothing repeats it. */
  diagnostics: (api: Api) => readOptions(api, getDiagnostics, {}, { staleTime: 60_000 }),

  /** One person: for admins, and everyone about themselves. */
  person: (api: Api, id: string) => readOptions(api, getPerson, { params: { user_id: id } }, polled),

  /** What a person may do with one object, by the function that decides. */
  permissions: (
    api: Api,
    { user, ...query }: NonNullable<ReturnType<typeof askedPermissions>>,
    enabled = true,
  ) => ({
    ...readOptions(api, explainPermissions, { params: { user_id: user }, query }, polled),
    enabled,
  }),

  /** What is called so among what the person may see, a few of each kind. */
  found: (api: Api, kind: PermissionObject, q: string) =>
    queryOptions({
      queryKey: [...keyOf(api, search), "of permissions", kind, q],
      queryFn: ({ signal }) => findObjects(api, kind, q, signal),
      staleTime: 15_000,
      retry: false,
    }),

  /** What a person owns, counted by kind. */
  owned: (api: Api, id: string) => readOptions(api, getOwned, { params: { user_id: id } }),

  /** What a program asks, in the browser that it sent here: asked once, with the cookie that says so. */
  request: (api: Api, id: string) =>
    queryOptions({
      queryKey: [...keyOf(api, getProgramRequest), id],
      queryFn: ({ signal }) =>
        call(api, getProgramRequest, { params: { request_id: id } }, { withCookies: true, signal }),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      gcTime: 0,
      refetchInterval: (query) => pollOptions(api, once).refetchInterval(query),
    }),

  /** One team: for those in it, and admins. */
  team: (api: Api, id: string) => readOptions(api, getTeam, { params: { team_id: id } }, polled),
};
