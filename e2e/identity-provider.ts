/**
 * A provider of OpenID Connect as a process of its own: `oidc-provider` with the pages of its development mode. Its port and the
 * address of the service are its arguments; whoever signs in is who they say, and their groups stand behind a plus:
 * `zoe+crew.staff`. Prints a line when it listens.
 */
import { Provider } from "oidc-provider";

const [port = "", service = ""] = process.argv.slice(2);
const issuer = `http://localhost:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "wheelhouse",
      client_secret: "a-secret-of-the-browser-tests",
      redirect_uris: [`${service}/oidc/callback`],
      post_logout_redirect_uris: [`${service}/sign-in`],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  scopes: ["openid", "offline_access"],
  cookies: { keys: ["a key of the browser tests"] },
  findAccount: (_, id) => {
    const [name = "", groups = ""] = id.split("+");
    const claims = { email: `${name}@example.org`, email_verified: true, name: `${name} Test` };
    return { accountId: id, claims: () => ({ sub: id, ...claims, groups: groups.split(".") }) };
  },
});
// Its pages are for development alone; what they warn of is not ours.
provider.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
