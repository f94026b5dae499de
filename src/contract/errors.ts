import { codeOfValue, type ValuedCode } from "./error-values.ts";

/** The value of each of these codes. */
const valueOfCode = Object.fromEntries(
  Object.entries(codeOfValue).map(([value, code]) => [code, value]),
) as Readonly<Record<ValuedCode, string>>;

/**
 * The closed catalogue of errors (§7 and docs/interface.md, "Errors"). The service raises errors only through it; the
 * console reads them with `readError` in read-error.ts. `value` is the literal text of flat errors where it differs
 * from the code; `message` is the sentence that is sent when the service has nothing more exact to say.
 */
export const errorCatalogue = {
  // §7.1
  gummie_id_required: entry(
    400,
    "The field gummie_id is missing: name the agent.",
    valueOfCode.gummie_id_required,
  ),
  message_required: entry(
    400,
    "The field message is missing: say what the agent shall do.",
    valueOfCode.message_required,
  ),
  owner_required: entry(
    400,
    "Name the user (user_id), the team (project_id), or both.",
    valueOfCode.owner_required,
  ),
  missing_credential: entry(
    401,
    "Send the API key or access token as the header Authorization: Bearer <key>.",
    valueOfCode.missing_credential,
  ),
  unauthorized_key: entry(403, "The API key or access token is not valid.", valueOfCode.unauthorized_key),
  unauthorized_gummie_access: entry(403, "You do not have access to this agent."),
  unauthorized_interaction_access: entry(403, "You do not have access to this conversation."),
  gummie_not_found: entry(404, "There is no agent with this id."),
  interaction_not_found: entry(404, "There is no conversation with this id."),
  interaction_gummie_mismatch: entry(400, "The conversation belongs to a different agent."),
  project_id_mismatch: entry(
    400,
    "The conversation belongs to another team, or to a person alone: leave project_id out to continue it.",
  ),
  interaction_not_in_terminal_state: entry(
    409,
    "The agent is still working on this conversation: wait until it is COMPLETED or FAILED.",
  ),
  // §7.2, §7.3
  invalid_access_change: entry(400, "This change of access is not possible."),
  agent_version_conflict: entry(409, "The agent was changed since the version that you read."),
  personal_credential_required: entry(
    403,
    "A team key cannot open chat files or personal agent files: use a personal key.",
  ),
  // What a request may get wrong
  invalid_parameter: entry(400, "A parameter is missing or not valid."),
  invalid_body: entry(400, "The body is not a JSON object of the expected shape."),
  invalid_page_size: entry(400, "page_size must be a whole number from 1 to 100."),
  invalid_sort: entry(400, "sort_order must be one of newest, oldest, name_asc, name_desc."),
  invalid_cursor: entry(400, "cursor is not one that this list gave out."),
  payload_too_large: entry(413, "The body is larger than 10 MB."),
  idempotency_key_reused: entry(422, "This Idempotency-Key was already used with another body."),
  // Credentials
  invalid_credentials: entry(401, "The API key or access token is not valid."),
  plan_upgrade_required: entry(403, "API keys need the Pro plan or above."),
  forbidden: entry(403, "Your credential does not allow this."),
  sign_in_link_invalid: entry(401, "This sign-in link is not valid, was already used, or has expired."),
  sign_in_refused: entry(401, "The sign-in with the identity provider was refused."),
  link_password_required: entry(403, "This link needs its password."),
  link_early: entry(403, "This link was issued in the future, so clocks differ: ask for a new one."),
  cross_site_request: entry(403, "A page of another origin cannot change anything here."),
  link_password_wrong: entry(403, "The password is not right."),
  program_refused: entry(403, "This program cannot be let in."),
  // What is, or is not, there
  not_found: entry(404, "There is nothing here that you may see."),
  link_expired: entry(410, "This link was for a quarter of an hour: ask for a new one."),
  misdirected_request: entry(421, "This service does not answer for this host."),
  method_not_allowed: entry(405, "This address does not take this method."),
  source_not_draft: entry(409, "The knowledge source is not a draft: it was already approved."),
  already_answered: entry(409, "Someone else answered this first."),
  approval_lapsed: entry(409, "No one answered in time: the call was refused."),
  approval_withdrawn: entry(409, "The turn that asked has ended: nothing waits for an answer any more."),
  too_many_drafts: entry(409, "You have too many drafts: approve some, or add files, first."),
  too_many_rubrics: entry(409, "There are too many rubrics: delete one first."),
  version_conflict: entry(409, "This was changed since the version that you read."),
  managed_by_file: entry(409, "The workspace's file says this: change it there."),
  managed_by_provider: entry(409, "The identity provider's groups say this: change it there."),
  email_taken: entry(409, "Someone else has this e-mail address."),
  last_admin: entry(409, "This is the last active admin: make another one first."),
  person_inactive: entry(409, "This person is deactivated."),
  evaluation_changed: entry(409, "The evaluation was changed since you read it."),
  name_taken: entry(409, "Another file of the same conversation has this name by now."),
  tool_definition_changed: entry(409, "The tool's definition is not the one that you looked at."),
  not_connected: entry(409, "The MCP server is not connected: sign in to it first."),
  sign_in_not_offered: entry(409, "This MCP server has no sign-in of its own."),
  tool_call_failed: entry(502, "The MCP server did not answer the call."),
  upstream_failed: entry(502, "The service behind this connection did not answer."),
  // The service itself
  too_many_requests: entry(429, "Too many requests: wait for the seconds in Retry-After."),
  internal: entry(500, "Something broke in the service. The request id leads to it in the log."),
  unavailable: entry(503, "The service cannot answer just now: try again in a moment."),
  insufficient_storage: entry(507, "The service has no room left to store this."),
} as const satisfies Record<string, CatalogueEntry>;

/** One kind of error: what a program branches on. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The broad kind of an error, sent as `type` in nested errors. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "rate_limit_error"
  | "api_error";

/** What the catalogue says of one code. */
export interface CatalogueEntry {
  readonly status: number;
  /** The literal `error` of flat bodies; null where it is the code itself. */
  readonly value: string | null;
  readonly message: string;
  readonly type: ErrorType;
}

function entry<const S extends number>(status: S, message: string, value: string | null = null) {
  return { status, message, value, type: typeOf(status) } as const;
}

function typeOf(status: number): ErrorType {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 409) return "conflict_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}

/** What every endpoint that needs a credential may answer, whatever else it does. */
export const commonErrors = [
  "missing_credential",
  "invalid_credentials",
  "plan_upgrade_required",
  "forbidden",
  "cross_site_request",
  "misdirected_request",
  "invalid_parameter",
  "invalid_body",
  "payload_too_large",
  "too_many_requests",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];

/** More about one error than its code: a better sentence, the parameter at fault, facts for a program. */
export interface ErrorFacts {
  readonly message?: string | undefined;
  readonly param?: string | null | undefined;
  readonly details?: unknown;
}

/** `{"error": "<value>", "message": "<a sentence>"}`, the body of the older endpoints. */
export interface FlatError {
  readonly error: string;
  readonly message: string;
}

/** `{"error": {code, message, type, param, details}}`, the body of the newer endpoints. */
export interface NestedError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly details: unknown;
  };
}

/**
 * The body of an error answer, in the shape of the endpoint. The status is `errorCatalogue[code].status`.
 * @param shape `endpoint.errorShape`
 */
export function renderError(
  shape: "flat" | "nested",
  code: ErrorCode,
  facts: ErrorFacts = {},
): FlatError | NestedError {
  const { value, message, type } = errorCatalogue[code];
  const sentence = facts.message ?? message;
  if (shape === "flat") return { error: value ?? code, message: sentence };
  return {
    error: { code, message: sentence, type, param: facts.param ?? null, details: facts.details ?? null },
  };
}

/**
 * The code for a query or path parameter that did not parse.
 * @param name the parameter's name on the wire
 */
export function parameterError(name: string): ErrorCode {
  if (name === "page_size") return "invalid_page_size";
  if (name === "sort_order") return "invalid_sort";
  if (name === "cursor") return "invalid_cursor";
  return "invalid_parameter";
}
