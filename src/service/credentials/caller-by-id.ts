import { sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import type { Store } from "../store/store.ts";

/**
 * Who the owner of a credential is by now, for what was signed for it: with the teams, members and plan of this moment.
 * @returns null when it was revoked, has expired, or its owner's plan has no keys any more
 */
export async function callerById({ db }: Store, credentialId: string): Promise<Caller | null> {
  const row = await db
    .selectFrom("credentials as c")
    .leftJoin("users as u", "u.id", "c.user_id")
    .leftJoin("teams as t", "t.id", "c.team_id")
    .select(["c.kind", "c.user_id", "c.team_id"])
    .select(
      sql<
        string[]
      >`array(select case when c.kind = 'team' then m.user_id else m.team_id end from team_members m
        where case when c.kind = 'team' then m.team_id = c.team_id else m.user_id = c.user_id end)`.as(
        "related",
      ),
    )
    .where("c.id", "=", credentialId)
    .where("c.revoked_at", "is", null)
    .where(sql<boolean>`(c.expires_at is null or c.expires_at > now())`)
    .where(sql<boolean>`(c.kind = 'token' or coalesce(u.plan, t.plan) <> 'free')`)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { kind, user_id, team_id, related } = row;
  if (kind === "team") {
    return team_id === null ? null : { kind, credentialId, teamId: team_id, memberIds: related };
  }
  return user_id === null ? null : { kind, credentialId, userId: user_id, teamIds: related };
}
