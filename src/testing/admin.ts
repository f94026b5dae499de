import { explainPermissions, getOwnRoles, rightsOver } from "../contract/admin.ts";
import {
  type ApiKey,
  createKey,
  endConsoleSession,
  listConsoleSessions,
  listKeys,
  revokeKey,
  type Session,
} from "../contract/admin-keys.ts";
import {
  type AdminPerson,
  getOwned,
  getPerson,
  invitePerson,
  listPeople,
  updatePerson,
} from "../contract/admin-people.ts";
import {
  type AdminTeam,
  createTeam,
  getTeam,
  listAdminTeams,
  listTeamMembers,
  removeTeamMember,
  setTeamMember,
  type TeamMember,
  updateTeam,
} from "../contract/admin-teams.ts";
import {
  type InstallationRole,
  neededRole,
  rightsOfRole,
  type TeamRight,
  type TeamRole,
  teamRights,
  teamRoles,
} from "../contract/roles.ts";
import type { MockService } from "./msw.ts";
import { Refusal } from "./msw-state.ts";

const since = "2026-11-19T08:16:04.123Z";

/** Ada, whom the workspace's file names. */
export function anAdminPerson(part: Partial<AdminPerson> = {}): AdminPerson {
  return {
    ...{ id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" },
    ...{ plan: "pro", role: "admin", role_by_groups: false, state: "active", version: 3 },
    teams: [{ id: "team_harbor", name: "Harbor", role: "admin", by_groups: false }],
    managed: [],
    last_seen_at: since,
    deactivated_at: null,
    ...part,
  };
}

export const grace = (part: Partial<AdminPerson> = {}): AdminPerson =>
  anAdminPerson({
    ...{ id: "user_grace", first_name: "Grace", last_name: "Hopper", email: "grace@example.com" },
    ...{ role: "member", teams: [], version: 7 },
    ...part,
  });

export function anAdminTeam(part: Partial<AdminTeam> = {}): AdminTeam {
  return {
    ...{ id: "team_harbor", name: "Harbor", plan: "pro", member_count: 2, role: "admin", version: 2 },
    ...{ rights: ["see", "operate", "edit", "manage"], managed: [], retired_at: null },
    ...part,
  };
}

export function anApiKey(part: Partial<ApiKey> = {}): ApiKey {
  return {
    ...{ id: "key_1", kind: "personal", name: "Nightly report", prefix: "wh_personal_3fXa", state: "active" },
    ...{ user: null, team: null, created_at: since, last_used_at: since, expires_at: null },
    last_used_from: { address: "192.0.2.7", user_agent: "curl/8.5.0" },
    ...part,
  };
}

export function aBrowserSession(part: Partial<Session> = {}): Session {
  const from = {
    address: "192.0.2.7",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  return {
    ...{ id: "session_1", current: false, created_at: since, last_used_at: since, expires_at: since },
    ...{ signed_in_from: from, last_used_from: from },
    ...part,
  };
}

interface Administration {
  people: AdminPerson[];
  teams: AdminTeam[];
  members: TeamMember[];
  keys: ApiKey[];
  sessions: Session[];
}

interface Options extends Partial<Administration> {
  /** What the person is in the whole installation, */
  readonly role?: InstallationRole;
  /** and in Harbor; null: not in it. */
  readonly inHarbor?: TeamRole | null;
}

/** Lets the mock have people, teams, keys and sessions, and change them as the service does. @returns them as they are */
export function withAdmin(service: MockService, options: Options = {}): Administration {
  const { role = "admin", inHarbor = "admin", ...given } = options;
  const has: Administration = {
    people: [anAdminPerson(), grace()],
    teams: [anAdminTeam()],
    members: [],
    keys: [],
    sessions: [],
    ...given,
  };
  const person = (id: string) => has.people.find((one) => one.id === id);
  const team = (id: string) => has.teams.find((one) => one.id === id);
  service.override(getOwnRoles, {
    user: { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: null },
    role,
    teams:
      inHarbor === null
        ? []
        : [{ id: "team_harbor", name: "Harbor", role: inHarbor, rights: [...rightsOfRole[inHarbor]] }],
  });
  service.override(listPeople, ({ query }) => ({
    people: has.people.filter(
      (one) =>
        (query.state === undefined || one.state === query.state) &&
        `${one.first_name} ${one.last_name} ${one.email}`
          .toLowerCase()
          .includes((query.search ?? "").toLowerCase()),
    ),
    next_cursor: null,
  }));
  service.override(getPerson, ({ params }) => {
    const found = person(params.user_id);
    return found ? { person: found } : new Refusal("not_found");
  });
  service.override(explainPermissions, ({ params, query }) => {
    const found = person(params.user_id);
    if (!found || (query.object === "team" && !team(query.object_id))) return new Refusal("not_found");
    const teamId = "team_harbor";
    const over = (right: TeamRight) => rightsOver[query.object].some((each) => each === right);
    const role = found.teams.find(({ id }) => id === teamId)?.role ?? null;
    return {
      answers: teamRights.filter(over).map((right) => ({
        ...{ right, role, team_id: teamId, needs: neededRole(right) },
        allowed: teamRoles.some((each) => each === role && rightsOfRole[each].includes(right)),
        rule: role === null ? "not_member" : "team_role",
      })),
    };
  });
  service.override(getOwned, {
    owned: [
      { kind: "agents", own: 3, for_teams: 1, movable: 3 },
      { kind: "runs", own: 1200, for_teams: 0, movable: 0 },
    ],
  });
  service.override(invitePerson, ({ body }) => {
    const { email, first_name, last_name } = body;
    const made = grace({ id: "user_new", email, first_name, last_name, state: "invited" });
    has.people.push(made);
    return {
      person: made,
      invitation: {
        url: "http://localhost:3000/#sign-in=secret_once",
        expires_at: "2026-11-27T08:16:04.123Z",
      },
    };
  });
  service.override(updatePerson, ({ params, body }) => {
    const found = person(params.user_id);
    if (!found) return new Refusal("not_found");
    if (body.version != null && body.version !== found.version) return new Refusal("version_conflict");
    const { active, version: _, ...fields } = body;
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
    Object.assign(found, sent, { version: found.version + 1 });
    if (active != null) found.state = active ? "active" : "deactivated";
    return { person: found };
  });
  service.override(listAdminTeams, ({ query }) => ({
    teams: has.teams.filter(
      (one) =>
        (one.retired_at !== null) === (query.retired ?? false) &&
        one.name.toLowerCase().includes((query.search ?? "").toLowerCase()),
    ),
    next_cursor: null,
  }));
  service.override(getTeam, ({ params }) => {
    const found = team(params.team_id);
    return found ? { team: found } : new Refusal("not_found");
  });
  service.override(createTeam, ({ body }) => {
    const made = anAdminTeam({ id: "team_new", name: body.name, member_count: 1 });
    has.teams.push(made);
    return { team: made };
  });
  service.override(updateTeam, ({ params, body }) => {
    const found = team(params.team_id);
    if (!found) return new Refusal("not_found");
    if (body.version != null && body.version !== found.version) return new Refusal("version_conflict");
    if (body.name != null) found.name = body.name;
    if (body.retired != null) found.retired_at = body.retired ? since : null;
    found.version += 1;
    return { team: found };
  });
  service.override(listTeamMembers, () => ({ members: has.members, next_cursor: null }));
  service.override(setTeamMember, ({ params, body }) => {
    const { id, first_name, last_name, email } = person(params.user_id) ?? grace();
    const member: TeamMember = {
      user: { id, first_name, last_name, email },
      ...{ role: body.role, by_groups: false, state: "active" },
    };
    has.members = [...has.members.filter(({ user }) => user.id !== id), member];
    return { member };
  });
  service.override(removeTeamMember, ({ params }) => {
    has.members = has.members.filter(({ user }) => user.id !== params.user_id);
    return new Response(null, { status: 204 });
  });
  service.override(listKeys, () => ({ keys: has.keys, next_cursor: null }));
  service.override(createKey, ({ body }) => {
    const made = anApiKey({ id: "key_new", name: body.name, last_used_at: null });
    has.keys = [made, ...has.keys];
    return { key: made, secret: "wh_personal_whole_secret" };
  });
  service.override(revokeKey, ({ params }) => {
    has.keys = has.keys.filter(({ id }) => id !== params.key_id);
    return new Response(null, { status: 204 });
  });
  service.override(listConsoleSessions, () => ({ sessions: has.sessions, next_cursor: null }));
  service.override(endConsoleSession, ({ params }) => {
    has.sessions = has.sessions.filter(({ id }) => id !== params.session_id);
    return new Response(null, { status: 204 });
  });
  return has;
}
