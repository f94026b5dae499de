/**
 * The literal `error` of flat bodies where it is not the code itself (§7.1): code by value. A file of its own, because a
 * client needs it to read errors, and not the sentences of the catalogue.
 */
export const codeOfValue = {
  "gummie_id is required": "gummie_id_required",
  "message is required": "message_required",
  "project_id or user_id is required": "owner_required",
  "Authorization header with Bearer token or api_key query parameter is required": "missing_credential",
  Unauthorized: "unauthorized_key",
} as const;

/** A code whose flat value is another text. */
export type ValuedCode = (typeof codeOfValue)[keyof typeof codeOfValue];
