import { createConsoleSession, signOutConsole } from "../../../contract/console-session.ts";
import { type CallerOptions, freeCaller } from "../../api/caller.ts";
import { call } from "../../api/client.ts";
import { ConsoleError } from "../../api/errors.ts";
import type { OfferedConnection } from "./connections.ts";
import { readPerson } from "./connections.ts";
import type { SignedIn } from "./signed-in.ts";

export { rememberSignIn } from "./last-sign-in.ts";

/**
 * Exchanges the token for an access token ("Credentials"). It works once: a failed exchange must not be tried again.
 * @throws ConsoleError; `http` 401 for a link that was used or is too old
 */
export async function exchangeToken(
  token: string,
  connection: OfferedConnection,
  options: CallerOptions & { readonly signal?: AbortSignal },
): Promise<SignedIn> {
  const api = freeCaller(connection.path, null, options);
  const { data, requestId, receivedAt } = await call(
    api,
    createConsoleSession,
    { body: { token } },
    { signal: options.signal },
  );
  if (!data.access_token) {
    throw new ConsoleError({ kind: "contract", path: "access_token", requestId }, createConsoleSession.name);
  }
  const user = readPerson(data.user);
  const expiresAt = Date.parse(data.expires_at ?? "");
  return {
    connection,
    credential: { kind: "token", secret: data.access_token, userId: user?.id ?? null, teamId: null },
    userName: user?.name ?? null,
    teams: (data.teams ?? []).flatMap(({ id, name }) => (id ? [{ id, name: name ?? id }] : [])),
    known: { named: connection.extensions ?? null, tried: {} },
    thisTabOnly: false,
    signedInAt: receivedAt,
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
  };
}

/**
 * Ends a session of the console at the service, too, and at the identity provider where it came from there: then the page leaves
 * for it. Whoever signs out is out whatever comes of it: in this browser the token is forgotten already.
 */
export async function endSession(
  { connection, credential }: SignedIn,
  options: CallerOptions,
  leave: (address: string) => void,
): Promise<void> {
  const api = freeCaller(connection.path, credential, options);
  const answer = await call(api, signOutConsole, {}, {}).catch(() => null);
  const address = answer?.data.provider_url ?? null;
  if (address !== null && /^https?:/.test(address)) leave(address);
}
