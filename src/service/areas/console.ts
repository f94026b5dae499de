import type { Person } from "../../contract/console.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { shortAgent } from "../credentials/authenticate.ts";
import { exchangeSignInToken } from "../credentials/sign-in.ts";
import { endOwnSession } from "../oidc/end-session.ts";
import { ServiceError } from "../service-error.ts";
import type { Handlers } from "./handler.ts";
import { teamsById } from "./teams.ts";

/**
 * Own `POST /console/sessions` and `POST /console/sign-out` ("Credentials"): a one-time token for an access token of eight hours, never for a key.
 * Of any number of exchanges of one token, one succeeds.
 */
export const consoleHandlers: Pick<Handlers<typeof endpoints>, "createConsoleSession" | "signOutConsole"> = {
  createConsoleSession: async (context, { body, headers, remoteAddress }) => {
    const refused = context.oidc?.refusalOf(body.token);
    if (refused != null) {
      const { message, reason, groups, groupCount } = refused;
      throw new ServiceError("sign_in_refused", {
        message,
        details: { reason, groups, group_count: groupCount },
      });
    }
    const from = { address: remoteAddress, userAgent: shortAgent(headers.get("user-agent")) };
    const session = await exchangeSignInToken(context.store, context.ids, body.token, from);
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
    };
  },
  signOutConsole: async (context, { caller }) => {
    if (caller.kind !== "token") return { type: "body", body: { ended: false, provider_url: null } };
    const { credentialId, userId } = caller;
    const url = (await context.oidc?.endSessionUrl(credentialId)) ?? null;
    await endOwnSession(context.store.db, credentialId, userId);
    return { type: "body", body: { ended: true, provider_url: url } };
  },
};

/** The person with this id, which a credential names: it is there. */
export async function personById({ store }: Context, id: string): Promise<Person> {
  return await store.db
    .selectFrom("users")
    .select(["id", "first_name", "last_name", "email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}
