import type { InstallationRole, TeamRole } from "../../contract/roles.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { Caller } from "../areas/handler.ts";
import type { CredentialKind } from "./key.ts";

/** What a credential says of whom it acts for, now. */
export interface CallerRow {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly user_id: string | null;
  readonly team_id: string | null;
  /** Of the person, or of the team. */
  readonly plan: string;
  /** The teams of a person, or the members of a team. */
  readonly related: readonly string[];
  /** The role in each of them, in the same order. */
  readonly related_roles: readonly TeamRole[];
  /** Of the person in the whole installation; null of a team. */
  readonly role: InstallationRole | null;
  /** Of a program's access token; null of all others. */
  readonly scopes: readonly Scope[] | null;
  /** The connection that it is a token of; null of all others. */
  readonly connection_id: string | null;
  /** What it is called: of a program's token the program. */
  readonly name: string;
  /** It was not revoked and has not ended, and its person is active and, for a key, not barred, or its team not retired. A program's token rests where a key would. */
  readonly valid: boolean;
}

const related = `from active_members m
   where case when c.kind = 'team' then m.team_id = c.team_id else m.user_id = c.user_id end
   order by m.team_id, m.user_id`;

/** The columns of `CallerRow`, from `callerTables`, where the credential is `c`. */
export const callerColumns = `
  c.id, c.kind, c.user_id, c.team_id, c.scopes, c.connection_id, c.name, coalesce(u.plan, t.plan) as plan, u.role,
  array(select case when c.kind = 'team' then m.user_id else m.team_id end ${related}) as related,
  array(select m.role ${related}) as related_roles,
  c.revoked_at is null and (c.expires_at is null or c.expires_at > now())
    and u.deactivated_at is null and (u.barred_at is null or (c.kind <> 'personal' and c.connection_id is null))
    and t.retired_at is null as valid`;

export const callerTables =
  "credentials c left join users u on u.id = c.user_id left join teams t on t.id = c.team_id";

/** §5.3: keys need a plan; access tokens do not. */
export function lacksPlan({ kind, plan }: CallerRow): boolean {
  return kind !== "token" && plan === "free";
}

/** @returns null for a row that says for nobody; whether it is valid is for whoever asks to look at */
export function toCaller(row: CallerRow): Caller | null {
  if (row.kind === "team") {
    return row.team_id === null
      ? null
      : { kind: "team", credentialId: row.id, teamId: row.team_id, memberIds: row.related };
  }
  if (row.user_id === null) return null;
  const { related, related_roles: roles } = row;
  return {
    ...{ kind: row.kind, credentialId: row.id, userId: row.user_id, role: row.role ?? "member" },
    teamIds: related,
    ...(row.scopes !== null && { scopes: row.scopes }),
    ...(row.connection_id !== null && { program: { id: row.connection_id, name: row.name } }),
    teamRoles: new Map(related.map((team, place) => [team, roles[place] ?? "viewer"])),
  };
}
