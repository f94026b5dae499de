import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";
import { batched } from "../store/batch.ts";
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

/** Finds out who asks. */
export interface Authenticator {
  /**
   * Who asks (part 5). Read from the database by a query that begins after the request came, so that a revoked key, a
   * lost membership or a lower plan counts at the next request.
   * @throws ServiceError `missing_credential` (401); `invalid_credentials` (401), or `unauthorized_key` (403) on
   * `startAgent` as §7.1 says; `plan_upgrade_required` (403) for a key whose owner is below Pro (§5.3)
   */
  authenticate(attempt: Attempt): Promise<Caller>;
}

export function createAuthenticator(store: Store): Authenticator {
  const find = batched((hashes: readonly string[]) => findCredentials(store, hashes));
  return {
    async authenticate(attempt) {
      if (attempt.secret === null) throw new ServiceError("missing_credential");
      const hash = hashSecret(attempt.secret);
      const row = await find(hash.toString("hex"));
      const caller = row && sameHash(row.hash, hash) ? toCaller(row) : null;
      if (!row?.valid || caller === null) {
        throw new ServiceError(
          attempt.endpoint === "startAgent" ? "unauthorized_key" : "invalid_credentials",
        );
      }
      checkUse(row, attempt);
      if (row.stale) touch(store, row.id);
      return caller;
    },
  };
}

/** What a valid credential may still lack. */
function checkUse(row: CredentialRow, { endpoint, userHeader }: Attempt): void {
  if (row.kind !== "token" && row.plan === "free") throw new ServiceError("plan_upgrade_required");
  if (needUserHeader.has(endpoint) && row.kind === "personal" && userHeader !== row.user_id) {
    throw new ServiceError("invalid_credentials", {
      message: "With a personal key, send your user id as the header x-auth-key.",
      param: "x-auth-key",
    });
  }
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

/** @param hashes in hex, as the keys of the answer */
async function findCredentials(
  store: Store,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, CredentialRow>> {
  const values = [hashes.map((hash) => Buffer.from(hash, "hex"))];
  const { rows } = await store.pool.query<CredentialRow>({ name: "find_credentials", text: findSql, values });
  return new Map(rows.map((row) => [row.hash.toString("hex"), row]));
}

/** `related`: the teams of a person, or the members of a team. */
const findSql = `
  select c.id, c.kind, c.hash, c.user_id, c.team_id, coalesce(u.plan, t.plan) as plan,
         array(select case when c.kind = 'team' then m.user_id else m.team_id end from team_members m
                where case when c.kind = 'team' then m.team_id = c.team_id else m.user_id = c.user_id end) as related,
         c.revoked_at is null and (c.expires_at is null or c.expires_at > now()) as valid,
         c.last_used_at is null or c.last_used_at < now() - interval '1 minute' as stale
    from credentials c left join users u on u.id = c.user_id left join teams t on t.id = c.team_id
   where c.hash = any($1::bytea[])`;

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
