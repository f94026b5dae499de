/** Secrets by name. What the service keeps on purpose is not here: bodies, messages, definitions are people's data. */
export const canaries: Record<string, string> = {
  // Of the operator, in variables and settings.
  modelKey: "canary-of-the-model-key",
  openAiKey: "canary-of-the-openai-key",
  anthropicKey: "canary-of-the-anthropic-key",
  mcpHeader: "canary-of-the-mcp-header",
  mcpAddress: "canary-of-the-mcp-address",
  environment: "canary-of-the-environment",
  upstreamPassword: "canary-of-an-upstream",
  traceHeader: "canary-of-the-collector",
  signer: "a secret that only tests have",
  // Of callers.
  cookie: "canary-of-a-cookie",
  proxy: "canary-of-a-proxy",
  userHeader: "canary-of-x-auth-key",
  linkHeader: "canary-of-x-link-password",
  otherHeader: "canary-of-a-header-that-no-input-has",
  wrongKey: "canary-of-a-wrong-key-0123456789",
  basic: "canary-of-a-basic-password",
  linkPassword: "canary-of-a-link",
  goodLinkPassword: "canary-of-the-password-of-a-link",
  wrongCode: "canary-of-a-wrong-code",
  wrongRefresh: "canary-of-a-wrong-refresh-token",
};

/** Headers that say by their name that they are secret, each with its own. */
export const secretHeaderNames = [
  ...["x-api-key", "private-token", "x-auth-token", "x-csrf-token", "x-vault-token", "x-client-secret"],
  ...[
    "ocp-apim-subscription-key",
    "x-jwt-assertion",
    "x-shopify-access-token",
    "x-otp",
    "x-session-id",
    "x-session",
    "x-user-pass",
  ],
];
for (const name of secretHeaderNames) canaries[name] = `canary-of-${name}`;

/** Parameters of addresses that carry secrets of sign-ins, each with its own. */
export const secretParameters = [
  "access_token",
  "refresh_token",
  "client_secret",
  "code",
  "state",
  "password",
];
for (const name of secretParameters) canaries[`?${name}`] = `canary-of-the-parameter-${name}`;

/** Inputs of a flow that are named like what carries secrets. */
export const secretInputs = [
  ...["authorization", "api_key", "cookie", "x-auth-key", "__proto__", "x-link-password"],
  // Its case does not count.
  ...secretHeaderNames.map((name) => (name === "x-api-key" ? "X-Api-Key" : name)),
];
