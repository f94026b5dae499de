import { sql } from "kysely";
import type { InstallationRole, TeamRole } from "../../contract/roles.ts";
import { shownChange } from "../audit/changes.ts";
import type { AuditEvent } from "../audit/entry.ts";
import { recordService } from "../audit/record.ts";
import type { Tx } from "../store/store.ts";
import { type Grants, grantsOf, noGrants } from "./grants.ts";
import type { SignInSettings } from "./settings.ts";

/** Somebody at the provider, with what they have here now. */
interface Standing {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly made_person: boolean;
  readonly groups: readonly string[];
  readonly is_in: boolean;
  readonly role: InstallationRole;
  readonly role_by_groups: boolean;
  /** The file says the role. */
  readonly role_is_fixed: boolean;
  readonly is_barred: boolean;
  readonly members: readonly { readonly team: string; readonly role: TeamRole; readonly given: boolean }[];
}

const standings = (condition: ReturnType<typeof sql>) => sql<Standing>`
  select i.issuer, i.subject, i.user_id, i.made_person, i.groups, i.is_in, u.role, u.role_by_groups,
         'role' = any(u.managed) as role_is_fixed, u.barred_at is not null as is_barred,
         coalesce((select json_agg(json_build_object('team', m.team_id, 'role', m.role, 'given', m.given_by_groups))
                     from team_members m where m.user_id = i.user_id), '[]') as members
    from oidc_identities i join users u on u.id = i.user_id
   where ${condition}`;

/**
 * Brings what a person has by their groups in line with them, and nothing else: what the file or the console gave stays. Whoever
 * is outside of all groups has their sessions of the provider ended. Where nothing changes nothing is written, so that nobody
 * else has to be read anew. What changes is in the audit log, as done by the service. The caller holds the lock under which people change (`lockKeys.loading`).
 */
export async function applyGrants(tx: Tx, issuer: string, subject: string, grants: Grants): Promise<void> {
  const { rows } = await standings(sql`i.issuer = ${issuer} and i.subject = ${subject}`).execute(tx);
  for (const standing of rows) await apply(tx, standing, grants);
}

/**
 * After the workspace's file was taken over: what it maps may have changed. Whoever is out stays out until they sign in.
 * @param settings null: no provider is set up any more, and what one gave ends
 */
export async function applyMapping(tx: Tx, settings: SignInSettings | null): Promise<void> {
  const { rows } = await standings(sql`i.is_in`).execute(tx);
  for (const standing of rows) {
    const counts = settings !== null && standing.issuer === settings.issuer;
    await apply(tx, standing, counts ? grantsOf(settings, standing.groups) : noGrants);
  }
}

async function apply(tx: Tx, standing: Standing, grants: Grants): Promise<void> {
  const { issuer, subject } = standing;
  if (standing.is_in !== grants.isIn) {
    await tx
      .updateTable("oidc_identities")
      .set({ is_in: grants.isIn })
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .execute();
  }
  await recordService(tx, [
    ...(await applyTeams(tx, standing, grants)),
    ...(await applyPerson(tx, standing, grants)),
  ]);
  if (grants.isIn) return;
  await sql`
    update credentials set revoked_at = now()
      from oidc_sessions s
     where s.issuer = ${issuer} and s.subject = ${subject} and credentials.id = s.credential_id
       and credentials.revoked_at is null`.execute(tx);
  await sql`
    delete from sign_in_links where hash in
      (select link from oidc_sessions where issuer = ${issuer} and subject = ${subject})`.execute(tx);
  await sql`delete from oidc_sessions where issuer = ${issuer} and subject = ${subject}`.execute(tx);
}

async function applyTeams(tx: Tx, standing: Standing, grants: Grants): Promise<AuditEvent[]> {
  const { user_id: userId, members } = standing;
  const there = new Map(members.map((member) => [member.team, member]));
  const events: AuditEvent[] = [];
  const changed = (
    action: AuditEvent["action"],
    id: string,
    before: TeamRole | null,
    after: TeamRole | null,
  ) =>
    events.push({
      ...{ action, object: { kind: "team", id }, teamId: id },
      changes: [shownChange(userId, before, after)],
    });
  for (const { team, given, role } of members) {
    if (!given || grants.teams.has(team)) continue;
    changed("team.remove_member", team, role, null);
    await tx
      .deleteFrom("team_members")
      .where("team_id", "=", team)
      .where("user_id", "=", userId)
      .where("given_by_groups", "=", true)
      .execute();
  }
  for (const [team, role] of grants.teams) {
    const has = there.get(team);
    // Whom the file names as a member has the role that it says.
    if (has !== undefined && (!has.given || has.role === role)) continue;
    const { numAffectedRows } = await sql`
      insert into team_members (team_id, user_id, role, given_by_groups)
      select id, ${userId}, ${role}, true from teams where id = ${team}
          on conflict (team_id, user_id) do update set role = excluded.role
       where team_members.given_by_groups`.execute(tx);
    if (numAffectedRows !== 0n) changed("team.set_member", team, has?.role ?? null, role);
  }
  return events;
}

async function applyPerson(tx: Tx, standing: Standing, grants: Grants): Promise<AuditEvent[]> {
  const { role, role_by_groups: byGroups, role_is_fixed: isFixed, made_person: isTheirs } = standing;
  const rises = grants.role === "admin" && role !== "admin" && !isFixed;
  const falls = byGroups && (grants.role !== "admin" || isFixed);
  const isBarred = isTheirs && !grants.isIn;
  if (!rises && !falls && isBarred === standing.is_barred) return [];
  await tx
    .updateTable("users")
    .set({
      ...(rises && { role: "admin", role_by_groups: true }),
      ...(falls && { role_by_groups: false, ...(!isFixed && { role: "member" }) }),
      barred_at: isBarred ? sql<Date>`coalesce(barred_at, now())` : null,
      version: sql`version + 1`,
    })
    .where("id", "=", standing.user_id)
    .execute();
  const now = rises ? "admin" : falls && !isFixed ? "member" : role;
  return [
    {
      action: "person.update",
      object: { kind: "person", id: standing.user_id },
      changes: [
        ...(now === role ? [] : [shownChange("role", role, now)]),
        ...(isBarred === standing.is_barred ? [] : [shownChange("active", !standing.is_barred, !isBarred)]),
      ],
    },
  ];
}
