/** The errors of OAuth 2.1 that a program branches on (RFC 6749 §4.1.2.1 and §5.2, RFC 8707, OpenID Connect for prompts). */
export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "interaction_required"
  | "access_denied"
  | "temporarily_unavailable";

/** What a program hears instead of what it asked for. The description is for people who write it, and holds nothing of a request. */
export class OauthError extends Error {
  override readonly name = "OauthError";
  readonly code: OauthErrorCode;

  constructor(code: OauthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}
