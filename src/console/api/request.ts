import type { Call, Endpoint, ResponseShape } from "../../contract/define.ts";

/** Who asks. `userId` goes with every request that takes one; `teamId` is the team that what is started belongs to. */
export interface Credential {
  readonly kind: "personal" | "team" | "token";
  readonly secret: string;
  readonly userId: string | null;
  readonly teamId: string | null;
}

/**
 * Where a request goes and as whom. `base` is absolute and ends with `/api/v1`: a worker has another address. What lies at
 * the root lies at that of the same origin.
 */
export interface Target {
  readonly base: string;
  readonly credential: Credential | null;
}

export interface RequestOptions {
  /** Marks the request as a poll, so that a service can keep it out of its counts. */
  readonly poll?: boolean | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** For the two start calls: the same key and body never start twice. */
  readonly idempotencyKey?: string | undefined;
  /** The body's text, where it is sent as a person wrote it and not as `body` would be written. */
  readonly bodyText?: string | undefined;
  /** Others that one endpoint has, in small letters, such as the password of a shared link; ASCII only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Tells polls from what a person asked for. */
export const pollHeader = "x-wheelhouse-poll";

/** Everything `fetch` needs for one call. Plain data: it can be sent to a worker. */
export interface PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whether an answer is saved as a file, whatever is in it. */
export const isFile = (shape: ResponseShape): shape is "zip" | "jsonl" =>
  shape === "zip" || shape === "jsonl";

/**
 * Builds one request of the interface (§4, §5.1, §5.6): path parameters encoded, undefined and null query values left
 * out, the credential in headers only, never in the address.
 */
export function buildRequest<E extends Endpoint>(
  target: Target,
  endpoint: E,
  input: Call<E>,
  options: RequestOptions = {},
): PlainRequest {
  const { params, query, body } = input as { params?: Values; query?: Values; body?: unknown };
  const headers: Record<string, string> = {
    ...options.headers,
    accept: isFile(endpoint.response) ? "*/*" : "application/json",
  };
  const { credential } = target;
  if (credential && endpoint.auth === "credential") {
    headers.authorization = `Bearer ${credential.secret}`;
    if (credential.kind === "personal" && credential.userId) headers["x-auth-key"] = credential.userId;
  }
  if (options.poll) headers[pollHeader] = "1";
  if (options.ifNoneMatch) headers["if-none-match"] = options.ifNoneMatch;
  if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  const sendsBody = body !== undefined;
  if (sendsBody) headers["content-type"] = "application/json";
  return {
    url:
      (endpoint.base === "" ? new URL(target.base).origin : target.base) +
      fillPath(endpoint.path, params ?? {}) +
      queryText(query ?? {}),
    method: endpoint.method,
    headers,
    body: sendsBody ? (options.bodyText ?? JSON.stringify(body)) : null,
  };
}

type Values = Readonly<Record<string, unknown>>;

function fillPath(path: string, params: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    // A dot segment would be resolved away and address another endpoint.
    if (value === "" || value === "." || value === "..") throw new TypeError(`${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

function queryText(query: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
