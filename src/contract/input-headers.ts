/** Credentials, cookies and what belongs to one connection (RFC 9110 §7.6.1): nobody behind the service learns of them. */
export const privateHeaders = {
  names: [
    "authorization",
    "connection",
    "cookie",
    "cookie2",
    "http2-settings",
    "keep-alive",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-auth-key",
    "x-link-password",
  ],
  prefixes: ["proxy-"],
} as const;

/**
 * Names that say that the value is a secret, whoever chose them: `x-api-key`, `private-token`, `ocp-apim-subscription-key`,
 * `x-csrftoken`. Rather one too many than one too few, as a body field of the same name always counts.
 */
export const secretHeaders = {
  /** Anywhere in a name. */
  parts: [
    ...["password", "passwd", "passphrase", "passcode", "secret", "credential", "bearer"],
    ...["apikey", "accesskey", "authkey", "privatekey", "oauth", "jwt"],
  ],
  /** At the end of a word of the name. */
  endings: ["token"],
  /** As a word of the name. */
  words: [
    "auth",
    "authentication",
    "authorization",
    "cookie",
    "otp",
    "pwd",
    "saml",
    "session-id",
    "sessionid",
    "sid",
    "user-pass",
    "x-pass",
    "x-session",
  ],
  /** As a word before `-key`. */
  beforeKey: [
    ...["access", "account", "api", "app", "auth", "client", "consumer", "encryption", "fastly", "functions"],
    ...["license", "master", "private", "rapidapi", "secret", "service", "session", "shared", "signing"],
    ...["subscription", "user"],
  ],
} as const;

const { parts, endings, words, beforeKey } = secretHeaders;
const secretName = new RegExp(
  [
    parts.join("|"),
    `(?:${endings.join("|")})(?![a-z0-9])`,
    `(?<![a-z0-9])(?:${words.join("|")})(?![a-z0-9])`,
    `(?<![a-z0-9])(?:${beforeKey.join("|")})[^a-z0-9]key(?![a-z0-9])`,
  ].join("|"),
);

/** Whether a header carries a credential or belongs to one connection, by name or by what its name says. */
export function isPrivateHeader(header: string): boolean {
  return hasHeader(privateHeaders, header) || secretName.test(header.toLowerCase());
}

/**
 * What browsers, tools, proxies and tracing set by themselves: nobody who starts a run wrote it. The list is by name,
 * because a service cannot see who set a header.
 */
export const automaticHeaders = {
  names: [
    // About the answer that is wanted, the body and the cache.
    "accept",
    "available-dictionary",
    "cache-control",
    "dictionary-id",
    "expect",
    "idempotency-key",
    "max-forwards",
    "pragma",
    "priority",
    "range",
    // About the browser and where it came from.
    "device-memory",
    "dnt",
    "downlink",
    "dpr",
    "early-data",
    "ect",
    "host",
    "last-event-id",
    "origin",
    "postman-token",
    "purpose",
    "referer",
    "rtt",
    "save-data",
    "service-worker",
    "upgrade-insecure-requests",
    "user-agent",
    "viewport-width",
    "x-requested-with",
    // About the way through proxies.
    "alt-used",
    "cdn-loop",
    "client-ip",
    "forwarded",
    "rndr-id",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-correlation-id",
    "x-forwarded",
    "x-forwarded-for",
    "x-real-ip",
    "x-request-id",
    "x-request-start",
    "x-scheme",
    // About traces.
    "b3",
    "baggage",
    "newrelic",
    "sentry-trace",
    "traceparent",
    "tracestate",
    "uber-trace-id",
    "x-cloud-trace-context",
  ],
  prefixes: [
    "accept-",
    "access-control-",
    "cf-",
    "cloudfront-",
    "content-",
    "fastly-",
    "fly-",
    "if-",
    "sec-",
    "x-amz-",
    "x-amzn-",
    "x-appengine-",
    "x-arr-",
    "x-auth-request-",
    "x-azure-",
    "x-b3-",
    "x-datadog-",
    "x-envoy-",
    "x-forwarded-",
    "x-goog-",
    "x-ms-",
    "x-original-",
    "x-railway-",
    "x-vercel-",
    "x-wheelhouse-",
  ],
} as const;

type HeaderList = { readonly names: readonly string[]; readonly prefixes: readonly string[] };

/** Whether a list has a header; its case does not count. */
export function hasHeader({ names, prefixes }: HeaderList, header: string): boolean {
  const name = header.trim().toLowerCase();
  return names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Whether a request header may become the value of a named input (§4.3 rule 3): every one but those that no person wrote
 * and those that are nobody's business. A body field of the same name always counts.
 */
export function isInputHeader(header: string): boolean {
  return !isPrivateHeader(header) && !hasHeader(automaticHeaders, header);
}
