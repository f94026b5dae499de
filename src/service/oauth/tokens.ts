import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Scope } from "../../contract/scopes.ts";
import type { AuditedRequest } from "../audit/entry.ts";
import { recordProgram } from "../audit/record.ts";
import type { Ids } from "../context.ts";
import { hashSecret, sameHash } from "../credentials/key.ts";
import type { RequestSource } from "../credentials/sign-in.ts";
import type { Store, Tx } from "../store/store.ts";
import { checkResource, readScopes } from "./authorize.ts";
import { endConnections, type IssuedTokens, issueTokens } from "./connections.ts";
import { OauthError } from "./oauth-error.ts";
import type { Program } from "./programs.ts";

export interface TokenParts {
  readonly store: Pick<Store, "db">;
  readonly ids: Ids;
  readonly publicUrl: string;
}

/** Who asks for tokens, after it proved who it is. */
export interface TokenRequest {
  readonly program: Program;
  readonly form: URLSearchParams;
  readonly from: RequestSource;
  readonly asker: AuditedRequest;
}

const invalid = (description: string) => new OauthError("invalid_grant", description);

/** A transaction that also lasts where it ends in a refusal: what a refusal ends has ended. */
async function deciding<T>(
  { store: { db } }: TokenParts,
  work: (tx: Tx) => Promise<T | OauthError>,
): Promise<T> {
  const decided = await db.transaction().execute(work);
  if (decided instanceof OauthError) throw decided;
  return decided;
}

type Held = { id: string; program_id: string; user_id: string; scopes: readonly Scope[] };

/** Ends the whole family, and says so to its person in the audit log: its code or a token of it is in two hands. */
async function endFamily(tx: Tx, { asker, program }: TokenRequest, held: Held, reason: string) {
  const ended = await endConnections(tx, { id: held.id });
  if (ended.length === 0) return;
  const { name } = await tx
    .selectFrom("oauth_programs")
    .select("name")
    .where("id", "=", held.program_id)
    .executeTakeFirstOrThrow();
  await recordProgram(
    tx,
    asker,
    { userId: held.user_id, name: program.name },
    {
      action: "program.misuse",
      object: { kind: "program", id: held.id, name },
      changes: [{ field: "reason", shown: true, before: null, after: reason }],
    },
  );
}

/** A person whose sign-in would be refused gets no tokens by what they let in before. */
const isActivePerson = sql<boolean>`exists (
  select from users where id = user_id and deactivated_at is null and barred_at is null)`;
const isAlive = sql<boolean>`ended_at is null and expires_at > now()`;

/**
 * A code for tokens (RFC 6749 §4.1.3). A code that comes with anything wrong is in the wrong hands: it ends, with all that it
 * gave.
 * @throws OauthError
 */
export async function exchangeCode(parts: TokenParts, request: TokenRequest): Promise<IssuedTokens> {
  const { form, program, from } = request;
  const [code, verifier] = [form.get("code"), form.get("code_verifier")];
  if (code === null || verifier === null || !form.has("redirect_uri"))
    throw new OauthError("invalid_request", "code, redirect_uri and code_verifier are needed.");
  checkResource(form.get("resource"), parts.publicUrl);
  return await deciding(parts, async (tx) => {
    const held = await tx
      .selectFrom("oauth_connections")
      .selectAll()
      .select([isAlive.as("is_alive"), isActivePerson.as("is_active")])
      .where("code", "=", hashSecret(code))
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) return invalid("The code is not one of this service.");
    const isFirst = held.begun_at === null;
    const isRight =
      held.program_id === program.id &&
      held.redirect_uri === form.get("redirect_uri") &&
      isVerifier(verifier, held.challenge);
    if (!isFirst || !isRight) {
      await endFamily(tx, request, held, isFirst ? "code in other hands" : "code used twice");
      return invalid("The code was used before, or is not this program's: it has ended.");
    }
    if (!held.is_alive || !held.is_active) return invalid("The code has expired.");
    return await issueTokens(tx, parts.ids, held, program, held.scopes, from);
  });
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest();
  return sameHash(made, Buffer.from(challenge, "base64url"));
}

/**
 * New tokens for a refresh token, which works once (RFC 9700 §4.14). A second use ends the family, whoever of the two was first:
 * nobody can tell the program from the thief.
 * @throws OauthError
 */
export async function refreshTokens(parts: TokenParts, request: TokenRequest): Promise<IssuedTokens> {
  const { form, program, from } = request;
  const token = form.get("refresh_token");
  if (token === null) throw new OauthError("invalid_request", "refresh_token is needed.");
  checkResource(form.get("resource"), parts.publicUrl);
  return await deciding(parts, async (tx) => {
    const connection = await connectionOf(tx, token);
    if (connection === undefined) return invalid("The refresh token is not one of this service.");
    if (connection.program_id !== program.id) {
      await endFamily(tx, request, connection, "refresh token in other hands");
      return invalid("The refresh token is not this program's: it has ended.");
    }
    if (await isUsed(tx, token)) {
      await endFamily(tx, request, connection, "refresh token used twice");
      return invalid("The refresh token was used before: all tokens of its family have ended.");
    }
    // Where nothing is given the token is not used up: its person may only be away for a while.
    if (!connection.is_alive || !connection.is_active)
      return invalid("The refresh token has expired, or was ended.");
    const scopes = readScopes(form.get("scope"), connection.scopes);
    await tx
      .updateTable("oauth_refresh_tokens")
      .set({ used_at: sql<Date>`now()` })
      .where("hash", "=", hashSecret(token))
      .execute();
    return await issueTokens(tx, parts.ids, connection, program, scopes, from);
  });
}

/** Asked while the connection is locked: whoever uses it at the same moment has used it, or waits. */
async function isUsed(tx: Tx, token: string): Promise<boolean> {
  const row = await tx
    .selectFrom("oauth_refresh_tokens")
    .select("used_at")
    .where("hash", "=", hashSecret(token))
    .executeTakeFirst();
  return row?.used_at != null;
}

/** The connection of a refresh token, locked: of two uses at the same moment, in any process, the second sees the first. */
async function connectionOf(tx: Tx, token: string) {
  return await tx
    .selectFrom("oauth_connections")
    .selectAll()
    .select([isAlive.as("is_alive"), isActivePerson.as("is_active")])
    .where("id", "=", (select) =>
      select.selectFrom("oauth_refresh_tokens").select("connection_id").where("hash", "=", hashSecret(token)),
    )
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Ends a token that a program gives back (RFC 7009): with a refresh token all of its family, with an access token that one. What
 * is no token of this program is nothing to end, and no error.
 */
export async function revokeToken(parts: TokenParts, request: TokenRequest): Promise<void> {
  const { form, program } = request;
  const token = form.get("token");
  if (token === null) throw new OauthError("invalid_request", "token is needed.");
  await parts.store.db.transaction().execute(async (tx) => {
    const connection = await connectionOf(tx, token);
    if (connection?.program_id === program.id) {
      const ended = await endConnections(tx, { id: connection.id });
      if (ended.length > 0) await recordGivenBack(tx, request, connection, "refresh token");
      return;
    }
    const access = await tx
      .updateTable("credentials")
      .set({ revoked_at: sql<Date>`now()` })
      .where("hash", "=", hashSecret(token))
      .where("revoked_at", "is", null)
      .where("connection_id", "in", (select) =>
        select.selectFrom("oauth_connections").select("id").where("program_id", "=", program.id),
      )
      .returning(["connection_id as id", "user_id"])
      .executeTakeFirst();
    if (access?.id != null && access.user_id !== null)
      await recordGivenBack(tx, request, { id: access.id, user_id: access.user_id }, "access token");
  });
}

async function recordGivenBack(
  tx: Tx,
  { asker, program: { name } }: TokenRequest,
  { id, user_id: userId }: Pick<Held, "id" | "user_id">,
  token: string,
): Promise<void> {
  await recordProgram(
    tx,
    asker,
    { userId, name },
    {
      action: "program.end",
      object: { kind: "program", id, name },
      changes: [
        { field: "reason", shown: true, before: null, after: "given back by the program" },
        { field: "token", shown: true, before: token, after: null },
      ],
    },
  );
}
