import { issuerHost, type SignInSettings, secretVariableOf } from "../oidc/settings.ts";
import { WorkspaceError } from "./problem.ts";
import type { Workspace } from "./read-workspace.ts";
import type { WheelhouseFile } from "./schema.ts";

/** `host:port` of the identity provider: the operator named it, so it may be private. */
export function providerHosts({ sign_in }: WheelhouseFile): readonly string[] {
  return sign_in === undefined ? [] : [issuerHost(sign_in)];
}

/**
 * The workspace's identity provider with its secret, as `make` makes it.
 * @returns null where the file names none
 * @throws WorkspaceError where the variable of the secret is not set
 */
export function openOidc<T>(
  { settings, source }: Workspace,
  environment: Readonly<Record<string, string | undefined>>,
  make: (settings: SignInSettings, secret: string | null) => T,
): T | null {
  const { sign_in: signIn } = settings;
  if (signIn === undefined) return null;
  const variable = secretVariableOf(signIn);
  if (variable === null) return make(signIn, null);
  const secret = environment[variable];
  if (secret) return make(signIn, secret);
  const message = `names the variable ${variable}, which is not set`;
  throw new WorkspaceError([source.problem(["sign_in", "client_secret"], message)]);
}
