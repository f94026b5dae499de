import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";
import type { Store } from "../store/store.ts";
import { type CredentialKind, hashSecret, sameHash } from "./key.ts";

/** The endpoints whose security scheme also wants `x-auth-key` with a personal key (§5.6). */
const needUserHeader: ReadonlySet<string> = new Set(["updateAgent", "updateArtifactAccess"]);

/** What the request carries, and for which endpoint. */
export interface Attempt {
  /** From `readSecret`; null without one. */
  readonly secret: string | null;
  /** The header `x-auth-key`: a name, not a proof. */
  readonly userHeader: string | null;
  readonly endpoint: string;
}

/**
 * Who asks (part 5). Read from the database at each request, so that a revoked key, a lost membership or a lower plan
 * counts at once.
 * @throws ServiceError `missing_credential` (401); `invalid_credentials` (401), or `unauthorized_key` (403) on
 * `startAgent` as §7.1 says; `plan_upgrade_required` (403) for a key whose owner is below Pro (§5.3)
 */
export async function authenticate(store: Store, attempt: Attempt): Promise<Caller> {
  if (attempt.secret === null) throw new ServiceError("missing_credential");
  const hash = hashSecret(attempt.secret);
  const row = await findCredential(store, hash);
  const refuse = () =>
    new ServiceError(attempt.endpoint === "startAgent" ? "unauthorized_key" : "invalid_credentials");
  if (!row || !sameHash(row.hash, hash) || !row.valid) throw refuse();
  if (row.kind !== "token" && row.plan === "free") throw new ServiceError("plan_upgrade_required");
  const caller = toCaller(row);
  if (!caller) throw refuse();
  if (needUserHeader.has(attempt.endpoint) && row.kind === "personal" && attempt.userHeader !== row.user_id) {
    throw new ServiceError("invalid_credentials", {
      message: "With a personal key, send your user id as the header x-auth-key.",
      param: "x-auth-key",
    });
  }
  if (row.stale) touch(store, row.id);
  return caller;
}

interface CredentialRow {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly hash: Buffer;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly plan: string;
  readonly related: readonly string[];
  readonly valid: boolean;
  readonly stale: boolean;
}

async function findCredential(store: Store, hash: Buffer): Promise<CredentialRow | undefined> {
  const { rows } = await store.pool.query<CredentialRow>({
    name: "find_credential",
    text: findSql,
    values: [hash],
  });
  return rows[0];
}

/** `related`: the teams of a person, or the members of a team. */
const findSql = `
  select c.id, c.kind, c.hash, c.user_id, c.team_id, coalesce(u.plan, t.plan) as plan,
         array(select case when c.kind = 'team' then m.user_id else m.team_id end from team_members m
                where case when c.kind = 'team' then m.team_id = c.team_id else m.user_id = c.user_id end) as related,
         c.revoked_at is null and (c.expires_at is null or c.expires_at > now()) as valid,
         c.last_used_at is null or c.last_used_at < now() - interval '1 minute' as stale
    from credentials c left join users u on u.id = c.user_id left join teams t on t.id = c.team_id
   where c.hash = $1`;

function toCaller(row: CredentialRow): Caller | null {
  if (row.kind === "team") {
    return row.team_id === null
      ? null
      : { kind: "team", credentialId: row.id, teamId: row.team_id, memberIds: row.related };
  }
  return row.user_id === null
    ? null
    : { kind: row.kind, credentialId: row.id, userId: row.user_id, teamIds: row.related };
}

/** For people who look at their keys; nothing waits for it and nothing depends on it. */
function touch(store: Store, id: string): void {
  store.pool.query("update credentials set last_used_at = now() where id = $1", [id]).catch(() => {});
}
