/** On every response with a body, whatever it is. There is no CORS header anywhere: other origins get nothing. */
const everywhere = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/**
 * For what a browser shows: the names of hosts that its links lead to are looked up when somebody follows one, not
 * before. No policy covers that, and a name can carry what it likes to whoever answers for its domain.
 */
const noLookAhead = { "x-dns-prefetch-control": "off" } as const;

/** For JSON and zip answers: they are data, never a page, and never kept by a cache. */
export const apiHeaders = {
  ...everywhere,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
} as const;

/** For 304, which has no body: RFC 9110 §15.4.5 wants it to say no more than what a cache needs. */
export const unchangedHeaders = { "x-content-type-options": "nosniff", "cache-control": "no-store" } as const;

/** For the console's files other than its page. */
export const assetHeaders = {
  ...everywhere,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** For the console's scripts that run as workers: their own policy comes with the file, not from the page. */
export const workerHeaders = {
  ...everywhere,
  "content-security-policy":
    "default-src 'none'; connect-src 'self'; script-src 'self'; frame-ancestors 'none'",
} as const;

/** For artifact bytes, which may be anything that a model wrote: nothing runs, nothing loads, only we may frame it. */
export const artifactHeaders = {
  ...everywhere,
  ...noLookAhead,
  "content-security-policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'",
  "cache-control": "no-store",
} as const;

/**
 * @param nonce fresh for each response; Radix and CodeMirror put it on the style elements that they make
 * @param scripts hashes of the scripts that stand in the page itself: `'sha256-…'`
 */
export function pageHeaders(nonce: string, scripts: readonly string[]) {
  return {
    ...everywhere,
    ...noLookAhead,
    "content-security-policy": [
      "default-src 'none'",
      ["script-src 'self'", ...scripts].join(" "),
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' blob: data:",
      "media-src 'self'",
      "font-src 'self'",
      "worker-src 'self'",
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types wheelhouse",
    ].join("; "),
    "cache-control": "no-store",
  } as const;
}
