import type { Person } from "../../contract/console.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { type AuditEvent, fromRequest } from "../audit/entry.ts";
import { nothingChanged, type Recorded, record, recordCounted, recordSignIn } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { shortAgent } from "../credentials/authenticate.ts";
import { exchangeSignInToken } from "../credentials/sign-in.ts";
import { networkOf } from "../guessing/network.ts";
import { endOwnSession } from "../oidc/end-session.ts";
import { ServiceError } from "../service-error.ts";
import type { Handlers } from "./handler.ts";
import { teamsById } from "./teams.ts";

/**
 * Own `POST /console/sessions` and `POST /console/sign-out` ("Credentials"): a one-time token for an access token of eight hours, never for a key.
 * Of any number of exchanges of one token, one succeeds.
 */
export const consoleHandlers: Pick<Handlers<typeof endpoints>, "createConsoleSession" | "signOutConsole"> = {
  createConsoleSession: async (context, request) => {
    const { body, headers, remoteAddress } = request;
    const refused = context.oidc?.refusalOf(body.token);
    if (refused != null) {
      const { message, reason, groups, groupCount } = refused;
      const network = networkOf(remoteAddress);
      await recordCounted(context.store.db, request, network, refusedSignIn("identity provider"));
      throw new ServiceError("sign_in_refused", {
        message,
        details: { reason, groups, group_count: groupCount },
      });
    }
    const from = { address: remoteAddress, userAgent: shortAgent(headers.get("user-agent")) };
    let recorded: Recorded = nothingChanged();
    const exchange = () =>
      exchangeSignInToken(context.store, context.ids, body.token, from, async (tx, made) => {
        recorded = await recordSignIn(tx, request, made);
      }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === "sign_in_link_invalid") return null;
        throw error;
      });
    const session = await context.guesses.compare(
      { from: fromRequest(request), account: null, event: refusedSignIn("sign-in link") },
      exchange,
    );
    if (session === null) throw new ServiceError("sign_in_link_invalid");
    const { db } = context.store;
    const user = await personById(context, session.userId);
    const memberships = await db
      .selectFrom("active_members")
      .select("team_id")
      .where("user_id", "=", session.userId)
      .execute();
    const teams = await teamsById(
      context,
      memberships.map(({ team_id }) => team_id),
    );
    return {
      type: "body",
      body: {
        access_token: session.accessToken,
        expires_at: session.expiresAt.toISOString(),
        user,
        teams,
      },
      recorded,
    };
  },
  signOutConsole: async (context, request) => {
    const { caller } = request;
    if (caller.kind !== "token")
      return { type: "body", body: { ended: false, provider_url: null }, recorded: nothingChanged() };
    const { credentialId, userId } = caller;
    const url = (await context.oidc?.endSessionUrl(credentialId)) ?? null;
    const recorded = await context.store.db.transaction().execute(async (tx) => {
      const name = await endOwnSession(tx, credentialId, userId);
      if (name === null) return nothingChanged();
      const object = { kind: "session", id: credentialId, name } as const;
      return await record(tx, request, { action: "session.end", object });
    });
    return { type: "body", body: { ended: true, provider_url: url }, recorded };
  },
};

/** A sign-in that was refused, however somebody tried. @param name how they tried, as `sign-in link` */
function refusedSignIn(name: string): AuditEvent {
  return { action: "session.refuse", object: { kind: "session", id: null, name } };
}

/** The person with this id, which a credential names: it is there. */
export async function personById({ store }: Context, id: string): Promise<Person> {
  return await store.db
    .selectFrom("users")
    .select(["id", "first_name", "last_name", "email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}
