import type * as z from "zod/mini";
import type { ErrorCode } from "./errors.ts";

/**
 * Where an endpoint comes from. `core`: the contract itself (§4), always there. `public`: documented beyond it.
 * `own`: ours alone. `GET /capabilities` names the public and own extensions that a service has.
 */
export type Tier = "core" | "public" | "own";

/** An object schema, used for path parameters, queries and most bodies. */
export type ObjectSchema = z.ZodMiniObject;

/** A JSON response body, a zip file or JSON Lines as a stream, or no body at all. */
export type ResponseShape = z.ZodMiniType | "zip" | "jsonl" | "none";

/**
 * One endpoint of the interface, written once. The service's routes and checks, the typed client, the MSW handlers,
 * the OpenAPI document and the tests are all derived from it. It carries no code: a browser can import it.
 */
export interface Endpoint {
  /** Unique; also the name of the service's function and the first part of the console's query key. */
  readonly name: string;
  readonly tier: Tier;
  /** The extension's name in `GET /capabilities`; null for core endpoints, which have none. */
  readonly capability: string | null;
  /** The section of docs/interface.md that it implements: `§4.4`, or a heading that has no number. */
  readonly section: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** What `path` lies below: the API, or `""`, the root of the origin that serves the console; no other service has that. */
  readonly base: "/api/v1" | "";
  /** With `{name}` for path parameters. */
  readonly path: `/${string}`;
  /** Whether it needs a credential (§5), or is open to anybody. */
  readonly auth: "credential" | "none";
  /** Whether a personal key must come with the id of its user in the header `x-auth-key` (§5.6). */
  readonly userHeader: boolean;
  /** Whether the key may instead be the query's `api_key` (§5.7). */
  readonly queryKey: boolean;
  /** The user's own action or a plain read; decides retries in the client. */
  readonly kind: "read" | "write";
  readonly params: ObjectSchema | null;
  /** As the service reads it: every value arrives as a string, and comes out of the schema typed. */
  readonly query: ObjectSchema | null;
  /** Request headers that the function reads, named as they are written; others are nothing to it, or data. */
  readonly headers: ObjectSchema | null;
  readonly body: z.ZodMiniType | null;
  /**
   * The error for a field of the body or query that is absent, null or empty, where the interface names one of its
   * own (§7.1). Other faults are `invalid_body` or `invalid_parameter` naming the field.
   */
  readonly missing: Readonly<Record<string, ErrorCode>>;
  readonly response: ResponseShape;
  /** Whether it answers with an `ETag`, its function's own or that of the body, and with 304 where `If-None-Match` names it. */
  readonly conditional: boolean;
  /** Whether its answer sets a cookie, so that it must be sent with `credentials: "same-origin"`. */
  readonly setsCookie: boolean;
  readonly status: 200 | 202 | 204;
  /** Errors that this endpoint can answer with, beyond `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** Older endpoints answer errors flat, newer ones nested; see errors.ts. */
  readonly errorShape: "flat" | "nested";
}

/** What most endpoints leave at its default. */
type Defaults = {
  capability: null;
  base: "/api/v1";
  auth: "credential";
  userHeader: false;
  queryKey: false;
  params: null;
  query: null;
  headers: null;
  body: null;
  missing: Record<string, never>;
  conditional: false;
  setsCookie: false;
  status: 200;
  errors: readonly [];
  errorShape: "nested";
};
const defaults: Defaults = {
  capability: null,
  base: "/api/v1",
  auth: "credential",
  userHeader: false,
  queryKey: false,
  params: null,
  query: null,
  headers: null,
  body: null,
  missing: {},
  conditional: false,
  setsCookie: false,
  status: 200,
  errors: [],
  errorShape: "nested",
};

type Given = Omit<Endpoint, keyof Defaults> & Partial<Pick<Endpoint, keyof Defaults>>;

/**
 * Makes an endpoint from what differs from the defaults: below `/api/v1`, a credential is needed, no params, query,
 * headers or body, no ETag, no cookie, status 200, nested errors, no capability (core).
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const G extends Given>(given: G): Omit<Defaults, keyof G> & G {
  return { ...defaults, ...given };
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** What a handler gets of a request after all of it was parsed. Parts that the endpoint lacks are undefined. */
export interface Input<E extends Endpoint> {
  readonly params: Parsed<E["params"]>;
  readonly query: Parsed<E["query"]>;
  /** What the endpoint's own headers say. */
  readonly headerFields: Parsed<E["headers"]>;
  readonly body: Parsed<E["body"]>;
}

/** The JSON body of a successful answer, exactly as the contract says it; undefined for a stream or no body. */
export type Output<E extends Endpoint> = Parsed<E["response"]>;

type Encodable<S> = S extends z.ZodMiniType ? z.output<S> : never;
type Part<K extends string, S> = [S] extends [null]
  ? { readonly [P in K]?: undefined }
  : Record<string, never> extends Encodable<S>
    ? { readonly [P in K]?: Encodable<S> }
    : { readonly [P in K]: Encodable<S> };

/**
 * What a caller gives to the typed client: the same typed values that the service's handler receives.
 * The client encodes numbers and booleans of params and query as text. A part is required only where it has required keys.
 */
export type Call<E extends Endpoint> = Part<"params", E["params"]> &
  Part<"query", E["query"]> &
  Part<"body", E["body"]>;

/**
 * A value as it may really arrive from a service that we do not know: any field of any object may be missing or null.
 * The console works with these types only; the service answers the strict ones.
 */
export type Received<T> = T extends string // first: the "any other string" of an open enum is an object too
  ? T
  : T extends readonly (infer I)[]
    ? readonly Received<I>[]
    : T extends object
      ? { readonly [K in keyof T]?: Received<T[K]> | null | undefined }
      : T;
