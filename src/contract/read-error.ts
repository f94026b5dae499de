import { codeOfValue } from "./error-values.ts";
import type { ErrorCode } from "./errors.ts";
import type { Open } from "./open-enum.ts";

/** An error answer as the console understands it, whichever shape it had. */
export interface ReadError {
  /** A code of the catalogue, or the raw text of a service that has others. */
  readonly code: Open<ErrorCode>;
  /** A sentence, from the answer where it has one. */
  readonly message: string;
  readonly param: string | null;
  readonly details: unknown;
  /** Whether the body was an error body at all, not a proxy's page or nothing. */
  readonly fromService: boolean;
}

/** What a status means where the body does not say. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_parameter",
  401: "invalid_credentials",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
  429: "too_many_requests",
  503: "unavailable",
  507: "insufficient_storage",
};

/**
 * Reads an error body of either shape (docs/interface.md, "Errors"), of a framework (`message`, `detail`), or none.
 * Never throws.
 * @param status the HTTP status
 * @param json the parsed body, or anything at all
 */
export function readError(status: number, json: unknown): ReadError {
  const body = record(json);
  const nested = record(body?.error);
  const raw = textOf(nested?.code) ?? textOf(body?.error) ?? textOf(body?.code);
  const sentence = textOf(nested?.message) ?? textOf(body?.message) ?? textOf(body?.detail) ?? null;
  const code = raw === null ? (codeOfStatus[status] ?? (status >= 500 ? "internal" : "unknown")) : known(raw);
  return {
    code,
    message: sentence ?? raw ?? `The service answered with status ${status}.`,
    param: textOf(nested?.param) ?? textOf(body?.param),
    details: nested?.details ?? body?.details ?? null,
    fromService: raw !== null || sentence !== null,
  };
}

/**
 * Whether the credential itself was refused, so that signing in again is the remedy: 401, and the 403 whose value is
 * `Unauthorized`. Other 403s are about one thing only.
 */
export function isCredentialError(status: number, code: string): boolean {
  return status === 401 || (status === 403 && code === "unauthorized_key");
}

function known(raw: string): Open<ErrorCode> {
  return Object.hasOwn(codeOfValue, raw) ? codeOfValue[raw as keyof typeof codeOfValue] : raw;
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
