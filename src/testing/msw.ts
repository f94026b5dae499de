import { HttpResponse, http, delay as mswDelay } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import * as z from "zod/mini";
import type { Endpoint, Input } from "../contract/define.ts";
import { endpoints } from "../contract/endpoints.ts";
import { type ErrorCode, errorCatalogue, renderError } from "../contract/errors.ts";
import { deferred } from "./deferred.ts";
import { type MockState, mockHandlers, Refusal, type Reply, someState } from "./msw-state.ts";

/** One request that the mock got. */
export interface SeenRequest {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface OverrideOptions {
  /** For how many requests; default for all. */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply, or a function that makes one of each request; it may take its time. */
export type ReplyOrMaker<E extends Endpoint> = Reply<E> | ((input: Input<E>) => Reply<E> | Promise<Reply<E>>);

/** A whole service in the test's process, made from the endpoint table. */
export interface MockService {
  readonly server: SetupServer;
  /** What it has; changes show in the next answer. */
  readonly state: MockState;
  /** Every request so far, in order. */
  readonly requests: SeenRequest[];
  /** Lets one endpoint answer differently; its type is the contract's. */
  override<E extends Endpoint>(endpoint: E, reply: ReplyOrMaker<E>, options?: OverrideOptions): void;
  /**
   * The same, but whoever asks gets the answer only once the test says so.
   * @returns gives it to all who wait, and to those who ask later at once
   */
  holdBack<E extends Endpoint>(endpoint: E, reply: ReplyOrMaker<E>, options?: OverrideOptions): () => void;
  /** The requests to one endpoint. */
  seen(endpoint: Endpoint): SeenRequest[];
  /** Faults of the test's own making, such as a request that no handler takes; the suite fails when there are any. */
  readonly faults: string[];
}

interface Override {
  readonly reply: ReplyOrMaker<Endpoint>;
  readonly headers: Readonly<Record<string, string>>;
  left: number;
  /** Until when it is held back; null: not at all. */
  readonly released: Promise<void> | null;
}

export interface MockOptions {
  /** Where the service is; tests of the page use the page's own origin. */
  readonly base?: string;
  readonly state?: Partial<MockState>;
}

/**
 * Makes a mock service. It checks requests as the contract does, answers from its state with ETags, and refuses what is
 * not overridden and not known: such a request fails the test (msw-suite.ts starts and watches it).
 */
export function createMockService({
  base = "http://localhost:3000/api/v1",
  state,
}: MockOptions = {}): MockService {
  const overrides = new Map<string, Override[]>();
  const requests: SeenRequest[] = [];
  const faults: string[] = [];
  const current = someState(state);

  async function respond(endpoint: Endpoint, request: Request, params: Record<string, unknown>) {
    const url = new URL(request.url);
    const text = await request.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    requests.push({ endpoint: endpoint.name, method: request.method, url, headers: request.headers, body });
    const id = `req_${requests.length}`;
    const input = parseInput(endpoint, url, params, body);
    const override = overrides.get(endpoint.name)?.find(({ left }) => left > 0);
    if (override) {
      override.left -= 1;
      const { reply, headers, released } = override;
      if (released !== null) await released;
      const makes = typeof reply === "function";
      if (makes && input instanceof Refusal) return render(endpoint, input, request, {}, id);
      const made = makes ? await reply(input as Input<Endpoint>) : reply;
      return render(endpoint, made, request, headers, id);
    }
    const refused = credentialOf(endpoint, request.headers, current);
    if (refused) return render(endpoint, refused, request, {}, id);
    if (input instanceof Refusal) return render(endpoint, input, request, {}, id);
    const handler = mockHandlers[endpoint.name as keyof typeof mockHandlers] as
      | ((input: unknown, state: MockState) => Reply<Endpoint>)
      | undefined;
    if (!handler) {
      faults.push(
        `Nothing answers ${endpoint.method} ${url.pathname}: override ${endpoint.name} in the test`,
      );
      return HttpResponse.error();
    }
    return render(endpoint, handler(input, current), request, {}, id);
  }

  const server = setupServer(
    ...inOrder(Object.values(endpoints)).map((endpoint: Endpoint) => {
      const method = endpoint.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
      const below = endpoint.base === "" ? new URL(base).origin : base;
      return http[method](below + endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1"), ({ request, params }) =>
        respond(endpoint, request, params),
      );
    }),
  );
  function override<E extends Endpoint>(
    endpoint: E,
    reply: ReplyOrMaker<E>,
    { times = Number.POSITIVE_INFINITY, headers = {} }: OverrideOptions,
    released: Promise<void> | null,
  ): void {
    const made: Override = { reply: reply as ReplyOrMaker<Endpoint>, headers, left: times, released };
    overrides.set(endpoint.name, [made, ...(overrides.get(endpoint.name) ?? [])]);
  }

  return {
    server,
    state: current,
    requests,
    faults,
    seen: (endpoint) => requests.filter((one) => one.endpoint === endpoint.name),
    override: (endpoint, reply, options = {}) => override(endpoint, reply, options, null),
    holdBack(endpoint, reply, options = {}) {
      const { promise: released, resolve: release } = deferred();
      override(endpoint, reply, options, released);
      return release;
    },
  };
}

/** Waits without end, as a service that hangs; the request ends when it is aborted. */
export async function never(): Promise<Response> {
  await mswDelay("infinite");
  return HttpResponse.error();
}

/** A reply that breaks the contract on purpose: any JSON. */
export function anyJson(json: unknown, status = 200): Response {
  return new Response(JSON.stringify(json), { status, headers: { "content-type": "application/json" } });
}

function inOrder(table: readonly Endpoint[]): Endpoint[] {
  // `/agents/{agent_id}` must not catch what has an address of its own.
  const variables = (endpoint: Endpoint) => endpoint.path.split("{").length;
  return [...table].sort((a, b) => variables(a) - variables(b));
}

function credentialOf(endpoint: Endpoint, headers: Headers, { keys }: MockState): Refusal | null {
  if (endpoint.auth === "none") return null;
  const key = headers.get("authorization")?.replace(/^Bearer /, "");
  if (!key) return new Refusal("missing_credential");
  if (keys && !keys.includes(key)) {
    const code: ErrorCode = endpoint.name === "startAgent" ? "unauthorized_key" : "invalid_credentials";
    return new Refusal(code);
  }
  return null;
}

function parseInput(endpoint: Endpoint, url: URL, params: Record<string, unknown>, body: unknown) {
  const query = Object.fromEntries(url.searchParams);
  const parts: [string, z.ZodMiniType | null, unknown][] = [
    ["params", endpoint.params, params],
    ["query", endpoint.query, query],
    ["body", endpoint.body, body ?? {}],
  ];
  const input: Record<string, unknown> = {};
  for (const [part, schema, value] of parts) {
    if (!schema) continue;
    const parsed = z.safeParse(schema, value);
    if (!parsed.success) {
      const code = part === "body" ? "invalid_body" : "invalid_parameter";
      return new Refusal(code, { param: parsed.error.issues[0]?.path.join(".") ?? null });
    }
    input[part] = parsed.data;
  }
  return input as unknown as Input<Endpoint>;
}

async function render(
  endpoint: Endpoint,
  reply: unknown,
  request: Request,
  headers: Readonly<Record<string, string>>,
  requestId: string,
): Promise<Response> {
  if (reply instanceof Response) return reply.clone();
  const common = { "x-request-id": requestId, date: new Date().toUTCString(), ...headers };
  if (reply instanceof Refusal) {
    const body = renderError(endpoint.errorShape, reply.code, reply.facts);
    return HttpResponse.json(body, { status: errorCatalogue[reply.code].status, headers: common });
  }
  if (endpoint.response === "none")
    return new HttpResponse(null, { status: endpoint.status, headers: common });
  const text = JSON.stringify(reply);
  const etag = `"${text.length}-${hash(text)}"`;
  if (request.headers.get("if-none-match") === etag) {
    return new HttpResponse(null, { status: 304, headers: { ...common, etag } });
  }
  return new HttpResponse(text, {
    status: endpoint.status,
    headers: { "content-type": "application/json", etag, ...common },
  });
}

function hash(text: string): string {
  let value = 5381;
  for (let i = 0; i < text.length; i += 1) value = (value * 33) ^ text.charCodeAt(i);
  return (value >>> 0).toString(36);
}
