import { z } from "zod";
import { installationRoles, teamRoles } from "../../contract/roles.ts";

const shown = (maximum: number) =>
  z.string().trim().min(1, "must not be empty").max(maximum, `must be at most ${maximum} characters long`);

const local = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/|$)/;
const issuer = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be an address")
  .refine((text) => !/^http:/i.test(text) || local.test(text), "must begin with https, but on this machine")
  .refine((text) => !/[?#]|\/\/[^/]*@/.test(text), "must have no query, fragment or user name")
  .meta({ description: "The provider's issuer, as its metadata name it: https://id.example.com." });

const secretVariable = z
  .string()
  .regex(
    /^\$\{[A-Z][A-Z0-9_]*\}$/,
    "must name a variable, such as $" + "{WHEELHOUSE_OIDC_SECRET}: secrets never stand in files",
  )
  .meta({
    description: "The environment variable that holds the client's secret; none for a public client.",
  });

const claim = (what: string, usual: string) =>
  shown(200)
    .default(usual)
    .meta({ description: `The claim with ${what}; a.b is b inside a, where there is no claim a.b.` });

/** What being in one group gives. With nothing in it its people may sign in, and that is all. */
const group = z.strictObject({
  teams: z
    .record(z.string(), z.enum(teamRoles))
    .default({})
    .meta({ description: "Ids of teams of this file, with the role in each." }),
  role: z
    .enum(installationRoles)
    .default("member")
    .meta({ description: "In the whole installation: admin or member." }),
});

/** `sign_in` of wheelhouse.yaml: the organisation's identity provider, by OpenID Connect. */
export const signIn = z.strictObject({
  name: shown(60).meta({ description: "What people call it: the sign-in page says Sign in with NAME." }),
  issuer,
  client_id: shown(500),
  client_secret: secretVariable.optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope without spaces"))
    .refine((scopes) => scopes.includes("openid"), "must hold openid")
    .default(["openid", "email", "profile", "offline_access"])
    .meta({ description: "What is asked for. Without offline_access many providers give no refresh token." }),
  prompt: z.enum(["consent", "login", "select_account"]).optional().meta({
    description: "What the provider always asks people; some give a refresh token only after consent.",
  }),
  claims: z
    .strictObject({
      email: claim("the e-mail address", "email"),
      name: claim("the person's name", "name"),
      groups: claim("the groups, a list of names", "groups"),
    })
    .default({ email: "email", name: "name", groups: "groups" }),
  trust_email: z.boolean().default(false).meta({
    description:
      "Takes addresses for verified although the provider does not say email_verified. Only where nobody can give themselves another's address there.",
  }),
  plan: z
    .enum(["free", "pro", "enterprise"])
    .default("free")
    .meta({ description: "Of people who are made at their first sign-in. API keys need pro or above." }),
  groups: z
    .record(shown(300), group)
    .refine((groups) => Object.keys(groups).length > 0, "must name a group: without one nobody could sign in")
    .meta({ description: "What each group gives. Whoever is in none of them cannot sign in." }),
});
export type SignInSettings = z.output<typeof signIn>;

/** The name of the variable that holds the client's secret; null for a public client. */
export function secretVariableOf({ client_secret }: SignInSettings): string | null {
  return client_secret?.slice(2, -1) ?? null;
}

/** `host:port` of the issuer: the operator chose it, so it may be private. */
export function issuerHost(settings: SignInSettings): string {
  const { protocol, hostname, port } = new URL(settings.issuer);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
