import type { Endpoint } from "../../contract/define.ts";

/** The ways to say who asks (§5), as an OpenAPI document names them. */
export const securitySchemes = {
  personalKey: { type: "http", scheme: "bearer", description: "A person's API key." },
  teamKey: { type: "http", scheme: "bearer", description: "A team's API key." },
  accessToken: {
    type: "oauth2",
    description:
      "An OAuth 2.0 access token, sent as a bearer token. How to get one is not part of this interface.",
    flows: {},
  },
  userId: {
    type: "apiKey",
    in: "header",
    name: "x-auth-key",
    description: "The id of the user whose personal key is sent. A name, not a proof: it grants nothing.",
  },
  queryKey: {
    type: "apiKey",
    in: "query",
    name: "api_key",
    description: "An API key, where no header can be sent. The header keeps it out of addresses and logs.",
  },
} as const;

type Requirement = { readonly [S in keyof typeof securitySchemes]?: readonly [] };

/** The credentials that an endpoint takes: any one of these, and of each one all. None: it is open to anybody. */
export function securityOf({ auth, userHeader, queryKey }: Endpoint): Requirement[] {
  if (auth === "none") return [];
  return [
    userHeader ? { personalKey: [], userId: [] } : { personalKey: [] },
    { teamKey: [] },
    { accessToken: [] },
    ...(queryKey ? [{ queryKey: [] } as const] : []),
  ];
}

/** Whether this query parameter is a credential, which the endpoint's own schema also names. */
export function isQueryKey({ queryKey }: Endpoint, name: string): boolean {
  return queryKey && name === securitySchemes.queryKey.name;
}
