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
  /** It was not revoked and has not ended. */
  readonly valid: boolean;
}

/** The columns of `CallerRow`, from `callerTables`, where the credential is `c`. */
export const callerColumns = `
  c.id, c.kind, c.user_id, c.team_id, coalesce(u.plan, t.plan) as plan,
  array(select case when c.kind = 'team' then m.user_id else m.team_id end from team_members m
         where case when c.kind = 'team' then m.team_id = c.team_id else m.user_id = c.user_id end) as related,
  c.revoked_at is null and (c.expires_at is null or c.expires_at > now()) as valid`;

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
  return row.user_id === null
    ? null
    : { kind: row.kind, credentialId: row.id, userId: row.user_id, teamIds: row.related };
}
