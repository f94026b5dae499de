import { describe, expect, it } from "vitest";
import { isInputHeader, isPrivateHeader } from "./input-headers.ts";

/** What really arrives, by who set it. */
const seen: Readonly<Record<string, string>> = {
  "Chrome 131":
    "host connection content-length sec-ch-ua-platform user-agent sec-ch-ua content-type sec-ch-ua-mobile accept origin sec-fetch-site sec-fetch-mode sec-fetch-dest referer accept-encoding accept-language cookie priority",
  "Chrome, a reload":
    "cache-control pragma upgrade-insecure-requests if-none-match if-modified-since dnt sec-gpc",
  "Chrome with hints":
    "device-memory dpr viewport-width rtt downlink ect save-data sec-ch-prefers-color-scheme",
  "Firefox 133":
    "host user-agent accept accept-language accept-encoding referer content-type content-length origin dnt connection sec-fetch-dest priority te",
  "Safari 18":
    "host content-type origin content-length connection accept user-agent referer sec-fetch-dest accept-language priority accept-encoding",
  "curl 8": "host user-agent accept content-length content-type expect",
  "fetch of Node":
    "host connection content-type accept accept-language sec-fetch-mode user-agent accept-encoding content-length",
  nginx:
    "x-real-ip x-forwarded-for x-forwarded-proto x-forwarded-host x-forwarded-port x-request-id x-scheme x-original-uri",
  Cloudflare: "cf-ray cf-connecting-ip cf-ipcountry cf-visitor cdn-loop true-client-ip",
  AWS: "x-amzn-trace-id x-forwarded-for x-amz-cf-id via cloudfront-viewer-country cloudfront-is-mobile-viewer",
  Envoy: "x-envoy-expected-rq-timeout-ms x-envoy-attempt-count x-request-id x-b3-traceid x-b3-spanid b3",
  Google:
    "x-cloud-trace-context forwarded x-appengine-country via x-goog-iap-jwt-assertion x-goog-authenticated-user-email",
  Azure:
    "x-azure-clientip x-arr-log-id x-arr-ssl x-original-url x-client-ip x-ms-client-principal x-ms-token-aad-access-token",
  "other hosts": "fly-client-ip fly-region fly-request-id x-railway-edge rndr-id x-vercel-id",
  Postman: "postman-token user-agent accept accept-encoding connection host content-length",
  "oauth2-proxy": "x-auth-request-user x-auth-request-email x-forwarded-user x-forwarded-email",
  Tracing: "traceparent tracestate baggage sentry-trace newrelic x-datadog-trace-id uber-trace-id",
  "This console":
    "accept authorization x-auth-key x-wheelhouse-poll if-none-match idempotency-key content-type",
};

describe("a request header", () => {
  it.each(Object.entries(seen))("never becomes an input where nobody wrote it: %s", (_who, headers) => {
    const inputs = headers
      .split(" ")
      .filter((name) => isInputHeader(name) || isInputHeader(name.toUpperCase()));
    expect(inputs).toEqual([]);
  });

  it.each([
    ...[
      "x-link-password",
      "X-Link-Password",
      "x-api-key",
      "api-key",
      "apikey",
      "x-apikey",
      "xi-api-key",
      "dd-api-key",
    ],
    ...[
      "private-token",
      "x-gitlab-token",
      "x-vault-token",
      "x-shopify-access-token",
      "x-amz-security-token",
      "token",
    ],
    ...[
      "x-csrftoken",
      "x-xsrf-token",
      "circle-token",
      "x_auth_token",
      "x.auth.token",
      "access_token",
      "refreshToken",
    ],
    ...[
      "ocp-apim-subscription-key",
      "x-functions-key",
      "x-rapidapi-key",
      "fastly-key",
      "x-master-key",
      "x-access-key",
    ],
    ...[
      "x-webhook-secret",
      "client_secret",
      "x-secret",
      "x-auth",
      "x-auth-user",
      "x-authorization",
      "x-original-authorization",
    ],
    ...[
      "x-jwt-assertion",
      "x-session-id",
      "sessionid",
      "x-otp",
      "db-password",
      "passwd",
      "x-credentials",
      "x-cookie",
      "saml",
    ],
    ...["x-goog-iap-jwt-assertion", "x-ms-token-aad-access-token"],
    ...["x-session", "x-user-pass", "x-pass", "connect.sid"],
  ])("S-84 is no input and no handler's where its name says that it is a secret: %s", (name) => {
    expect(isInputHeader(name)).toBe(false);
    expect(isPrivateHeader(name)).toBe(true);
  });

  it.each(["max-tokens", "author", "key", "row-key", "session", "passenger", "boarding-pass", "x-keynote"])(
    "is not taken for a secret by a part of a word that says none: %s",
    (name) => expect(isInputHeader(name)).toBe(true),
  );

  it.each(["name", "amount", "x-order", "Invoice-Number", "x-api-version", "date", "from", "subject"])(
    "becomes one where somebody wrote it: %s",
    (name) => expect(isInputHeader(name)).toBe(true),
  );
});
