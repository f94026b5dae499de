/**
 * Why the provider was of no use:
 * - `unreachable`: no answer, none in time, or one that says that it is broken: a moment later it may be well
 * - `refused`: it does not accept the code or the refresh token (any more)
 * - `client`: it does not accept us
 * - `skew`: its clock and ours differ by more than is allowed for, by what its token says
 * - `expired`: its token has ended, or clocks differ: it cannot be told
 * - `invalid`: what it answered is not what a provider of OpenID Connect answers, or is not meant for us
 */
export type ProviderFailure = "unreachable" | "refused" | "client" | "skew" | "expired" | "invalid";

/** The message is a sentence of our own; nothing that the provider wrote is in it. The cause is for the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderFailure;

  constructor(kind: ProviderFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const claimSentences: Readonly<Record<string, string>> = {
  iss: "Its token was issued by another issuer (iss).",
  aud: "Its token is for another client (aud).",
  azp: "Its token is for another client (azp).",
  nonce: "Its token belongs to another sign-in (nonce).",
};
const codeSentences: Readonly<Record<string, string>> = {
  OAUTH_KEY_SELECTION_FAILED: "Its token is signed with a key that it does not publish.",
  OAUTH_UNSUPPORTED_OPERATION: "Its token is not signed, or in a way that is not accepted.",
  OAUTH_RESPONSE_IS_NOT_JSON: "It answered with something other than JSON, such as a page.",
  OAUTH_PARSE_ERROR: "It answered with something that cannot be read.",
  OAUTH_HTTP_REQUEST_FORBIDDEN: "It names an address that does not begin with https.",
};

/** What the client or the guarded fetch threw, by kind. */
export function toProviderError(error: unknown): ProviderError {
  const chain = causesOf(error);
  const known = chain.find((one) => one instanceof ProviderError);
  if (known) return known;
  const named = (name: string) => chain.some((one) => one.name === name);
  const outgoing = chain.find((one) => one.name === "OutgoingError");
  if (outgoing || named("TimeoutError") || named("AbortError")) {
    const kind = outgoing && "kind" in outgoing ? outgoing.kind : "unreachable";
    if (kind === "refused")
      return new ProviderError("invalid", "It names an address that is not allowed.", error);
    if (kind === "too_large") return new ProviderError("invalid", "Its answer is too large.", error);
    return new ProviderError("unreachable", "It did not answer in time, or not at all.", error);
  }
  const status = chain.map(statusOf).find((one) => one !== null) ?? null;
  if (status !== null && (status >= 500 || status === 429))
    return new ProviderError("unreachable", `It answered with an error of its own (${status}).`, error);
  const refusal = chain.map(errorOf).find((one) => one !== null) ?? null;
  if (refusal === "invalid_client" || refusal === "unauthorized_client" || status === 401)
    return new ProviderError("client", "It does not accept the client id or secret of Wheelhouse.", error);
  if (refusal === "temporarily_unavailable" || refusal === "server_error")
    return new ProviderError("unreachable", "It says that it is not available now.", error);
  if (refusal !== null)
    return new ProviderError("refused", "It does not accept this sign-in any more.", error);
  return new ProviderError("invalid", sentenceOf(chain), error);
}

function sentenceOf(chain: readonly Error[]): string {
  const claim = chain.map(({ cause }) => fieldOf(cause, "claim")).find((one) => one !== null);
  const code = chain.map((one) => fieldOf(one, "code")).find((one) => one !== null && one in codeSentences);
  return (
    claimSentences[claim ?? ""] ??
    codeSentences[code ?? ""] ??
    "Its answer is not one of OpenID Connect, or cannot be trusted."
  );
}

/** The claims of the token that the client refused for its time; null where that is not what it threw. */
export function untimelyClaims(error: unknown): Readonly<Record<string, unknown>> | null {
  const refused = causesOf(error).find(
    (one) =>
      fieldOf(one, "code") === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED" &&
      isObject(one.cause) &&
      "claims" in one.cause,
  );
  const claims = isObject(refused?.cause) ? Reflect.get(refused.cause, "claims") : null;
  return isObject(claims) ? { ...claims } : null;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  return chain;
}

/** Of the response that was looked at. */
function statusOf(error: Error): number | null {
  for (const one of [error, error.cause]) {
    if (!isObject(one) || !("status" in one)) continue;
    if (typeof one.status === "number") return one.status;
  }
  return null;
}

/** RFC 6749's error of the token endpoint. */
function errorOf(error: Error): string | null {
  return error.name === "ResponseBodyError" ? fieldOf(error, "error") : null;
}

function fieldOf(value: unknown, field: string): string | null {
  if (!isObject(value)) return null;
  const found: unknown = Reflect.get(value, field);
  return typeof found === "string" ? found : null;
}
