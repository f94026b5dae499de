import { sql } from "kysely";
import { accessTokenSeconds, connectionDays, type Scope } from "../../contract/scopes.ts";
import { type Ids, randomText } from "../context.ts";
import { hashSecret, makeSecret } from "../credentials/key.ts";
import type { RequestSource } from "../credentials/sign-in.ts";
import type { Tx } from "../store/store.ts";
import type { Program } from "./programs.ts";
import type { PendingRequest } from "./requests.ts";

/** What a program gets. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly Scope[];
}

/** Seconds in which a code is exchanged. */
const codeSeconds = 60;

/** Lets a program in. @returns the code that it exchanges, which is kept nowhere */
export async function makeConnection(
  tx: Tx,
  ids: Ids,
  userId: string,
  {
    program_id,
    redirect_uri,
    scopes,
    challenge,
  }: Pick<PendingRequest, "program_id" | "redirect_uri" | "scopes" | "challenge">,
): Promise<{ readonly id: string; readonly code: string }> {
  const code = `wh_code_${randomText(43)}`;
  const id = ids.make("con");
  await tx
    .insertInto("oauth_connections")
    .values({
      ...{ id, program_id, user_id: userId, scopes: [...scopes], redirect_uri, challenge },
      code: hashSecret(code),
      expires_at: sql<Date>`now() + make_interval(secs => ${codeSeconds})`,
    })
    .execute();
  return { id, code };
}

/** New tokens of a connection whose row is locked: whoever ends it at this moment ends these too. */
export async function issueTokens(
  tx: Tx,
  ids: Ids,
  connection: { readonly id: string; readonly user_id: string },
  program: Pick<Program, "name">,
  scopes: readonly Scope[],
  from: RequestSource,
): Promise<IssuedTokens> {
  const access = makeSecret("token");
  const refreshToken = `wh_refresh_${randomText(43)}`;
  await tx
    .insertInto("credentials")
    .values({
      ...{ id: ids.make("tok"), kind: "token", prefix: access.prefix, hash: access.hash },
      ...{ user_id: connection.user_id, team_id: null, name: program.name, scopes: [...scopes] },
      ...{ connection_id: connection.id, made_from_address: from.address, made_from_agent: from.userAgent },
      expires_at: sql<Date>`now() + make_interval(secs => ${accessTokenSeconds})`,
    })
    .execute();
  await tx
    .insertInto("oauth_refresh_tokens")
    .values({ hash: hashSecret(refreshToken), connection_id: connection.id })
    .execute();
  await tx
    .updateTable("oauth_connections")
    .set({
      begun_at: sql<Date>`coalesce(begun_at, now())`,
      refreshed_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${connectionDays})`,
    })
    .where("id", "=", connection.id)
    .execute();
  return { accessToken: access.secret, refreshToken, scopes };
}

/**
 * Ends connections with all their tokens: the next request of each is refused, in every process.
 * @param of which: one by its id, all of a person, or all of a program
 * @returns those that had not ended
 */
export async function endConnections(
  tx: Tx,
  of: { readonly id: string } | { readonly user_id: string } | { readonly program_id: string },
) {
  let rows = tx
    .updateTable("oauth_connections")
    .set({ ended_at: sql<Date>`now()` })
    .where("ended_at", "is", null);
  for (const [column, value] of Object.entries(of)) rows = rows.where(sql.ref(column), "=", value);
  const ended = await rows.returning(["id", "user_id", "program_id"]).execute();
  if (ended.length > 0)
    await tx
      .updateTable("credentials")
      .set({ revoked_at: sql<Date>`now()` })
      .where(
        "connection_id",
        "in",
        ended.map(({ id }) => id),
      )
      .where("revoked_at", "is", null)
      .execute();
  return ended;
}
