import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Hono, type Context as HonoContext } from "hono";
import type { Logger } from "pino";
import type { Endpoint } from "../../contract/define.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { mcpCallbackPath } from "../../contract/mcp-connection.ts";
import { oidcCallbackPath, oidcStartPath } from "../../contract/oidc.ts";
import { oauthPaths } from "../../contract/scopes.ts";
import { extensionsOf } from "../areas/capabilities.ts";
import type { Handlers } from "../areas/handler.ts";
import type { Config } from "../config.ts";
import type { Context, Ids } from "../context.ts";
import type { Sender } from "../guessing/guesses.ts";
import { clientMetadataPath } from "../mcp/client-metadata.ts";
import type { Meters } from "../meters.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, inPieces, jsonAnswer, webStream } from "./answer.ts";
import { errorAnswer } from "./errors.ts";
import { health } from "./health.ts";
import { createMcpRoutes } from "./mcp-routes.ts";
import { createOauthRoutes } from "./oauth-routes.ts";
import { createOidcRoutes } from "./oidc-routes.ts";
import { openApiDocument } from "./openapi.ts";
import { createPlainAnswers, isPlain } from "./plain.ts";
import { createRequestGuard, type RequestGuard } from "./request-guard.ts";
import { placeOf } from "./request-headers.ts";
import { linesOf, type RecordParts, RequestRecord } from "./request-record.ts";
import { createRoute, createRouteParts } from "./route.ts";
import { answerOf, type Route, serveRoute } from "./serve-route.ts";
import { createSignedFiles } from "./signed-files.ts";
import { createStaticFiles } from "./static.ts";
import { createUpstreams } from "./upstream.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

/** Where the process is between its start and its end. */
export type Phase = "starting" | "ready" | "draining";

/** What the HTTP room is built from. The context comes later than the open port: a start listens at once. */
export interface AppParts {
  readonly config: Config;
  readonly log: Logger;
  readonly ids: Ids;
  readonly handlers: Partial<Handlers<typeof endpoints>>;
  /** Tells this data directory or database from others: a second start asks for it. */
  readonly instance: string;
  readonly phase: () => Phase;
  /** Null until the database and the engine are up. */
  readonly context: () => Context | null;
  /** Whether the database answers, for `/readyz`. */
  readonly databaseAnswers: () => Promise<boolean>;
  /** Whether the store of files answers, for `/readyz`; absent: it does. */
  readonly filesAnswer?: (() => Promise<boolean>) | undefined;
  /** Whether it waits to be let go on, for `/readyz`; absent: it does not. */
  readonly paused?: (() => boolean) | undefined;
  /** Parse every answer by the contract, in tests and development. */
  readonly checkAnswers: boolean;
  readonly meters?: Meters | undefined;
}

export type Parts = AppParts &
  RecordParts & { readonly withWatchdog: Watchdog; readonly guard: RequestGuard };

/** What node's server gives beside the request; missing where the fetch function is called directly, as MSW does. */
export type Bindings = {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
};

/** The service as one fetch function. */
export interface App {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
  /**
   * Answers a plain GET of the endpoint table on node's own objects, which costs a poll half as much, with the same
   * routes. @returns false, and has done nothing, for all else: `fetch` answers that
   */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

type Hc = HonoContext<{ Bindings: Bindings }>;

/** Builds every route from the endpoint table; beside it the console, the upstreams, signed files and the probes. */
export function createApp(given: AppParts): App {
  const parts: Parts = {
    ...given,
    lines: linesOf(given.log),
    withWatchdog: createWatchdog(given.databaseAnswers),
    guard: createRequestGuard(given.config),
  };
  const { withWatchdog: watch } = parts;
  const { handlers } = parts;
  const shared = createRouteParts(parts.checkAnswers);
  const hono = new Hono<{ Bindings: Bindings }>();
  const byPath = new Map<string, Map<string, Route>>();
  const plainRoutes = new Map<string, Route>();
  const add = <K extends keyof typeof endpoints>(name: K) => {
    const endpoint = endpoints[name];
    const handler = handlers[name];
    if (!handler) return;
    const path = endpoint.base + endpoint.path;
    const methods = byPath.get(path) ?? new Map<string, Route>();
    const route = { endpoint, serve: createRoute(endpoint, handler, shared) };
    methods.set(endpoint.method, route);
    if (isPlain(endpoint)) plainRoutes.set(path, route);
    byPath.set(path, methods);
  };
  for (const name of Object.keys(endpoints)) add(name as keyof typeof endpoints);

  for (const [path, methods] of byPath) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    hono.all(pattern, (c, next) =>
      isForTheConsole(c, path, methods) ? next() : serveEndpoint(parts, c, path, methods),
    );
  }
  // What is no endpoint of the table is logged by its pattern only: an address may hold a signature.
  const plain = (
    c: Hc,
    route: string,
    serve: (record: RequestRecord) => Promise<Answer>,
    isTold?: (status: number) => boolean,
  ) => {
    const record = new RequestRecord(parts, c.req.method, route, isTold);
    return finish(parts, c, record, "nested", () => serve(record));
  };
  const probe = (route: string, serve: () => Promise<Answer>) => {
    const isTold = unlessAsBefore();
    return (c: Hc) => plain(c, route, serve, isTold);
  };
  hono.get(
    "/healthz",
    probe("health", async () => health(parts.instance)),
  );
  hono.get(
    "/readyz",
    probe("readiness", () => readiness(parts)),
  );
  const document = openApi(parts);
  hono.get("/api/v1/openapi.json", (c) => plain(c, "openapi", document));
  const signedFiles = createSignedFiles(parts.context);
  hono.all("/api/v1/files/:id", (c) =>
    plain(c, "signed file", (record) => watch(() => signedFiles(c.req.raw, senderOf(c, record)))),
  );
  const mcp = createMcpRoutes(parts.context);
  hono.get(mcpCallbackPath, (c) =>
    plain(c, "mcp sign-in", (record) => watch(() => mcp.callback(c.req.raw, senderOf(c, record)))),
  );
  hono.get(clientMetadataPath, (c) => plain(c, "mcp client", async () => mcp.clientMetadata()));
  hono.get("/icons/mcp/:id", (c) => plain(c, "mcp icon", () => mcp.icon(c.req.raw, c.req.param("id"))));
  const oidc = createOidcRoutes(parts.context);
  hono.get(oidcStartPath, (c) =>
    plain(c, "oidc start", () => watch(() => oidc.start(c.req.raw, addressOf(c)))),
  );
  hono.get(oidcCallbackPath, (c) =>
    plain(c, "oidc callback", (record) => watch(() => oidc.callback(c.req.raw, senderOf(c, record)))),
  );
  const oauth = createOauthRoutes(parts.context);
  const oauthCall = (c: Hc, record: RequestRecord) => ({
    request: c.req.raw,
    address: addressOf(c),
    requestId: record.id,
  });
  for (const [name, path] of [
    ["authorize", oauthPaths.authorize],
    ["token", oauthPaths.token],
    ["revoke", oauthPaths.revoke],
  ] as const) {
    const answer = (c: Hc) => (record: RequestRecord) => watch(() => oauth[name](oauthCall(c, record)));
    hono.all(path, (c) => plain(c, `oauth ${name}`, answer(c)));
  }
  hono.get("/.well-known/*", (c) =>
    plain(c, "oauth metadata", async () => {
      const found = oauth.metadata(c.req.path);
      if (found === null) throw new ServiceError("not_found");
      return found;
    }),
  );
  const upstreams = createUpstreams(parts.config.upstreams);
  hono.all("/upstream/:name/api/v1/*", (c) =>
    plain(c, "upstream", (record) => upstreams(c.req.param("name"), c.req.raw, record.id)),
  );
  const staticFiles = createStaticFiles(
    parts.config.consoleDirectory,
    parts.config.upstreams,
    extensionsOf(Object.keys(handlers)),
    () => ({
      signIn: parts.context()?.oidc?.name,
      paused: parts.paused?.() === true ? true : undefined,
    }),
  );
  hono.notFound((c) =>
    plain(c, "console", async () => {
      if (/^\/(?:api|upstream)(?:\/|$)/.test(c.req.path)) throw new ServiceError("not_found");
      return await staticFiles(c.req.raw);
    }),
  );
  hono.onError((error, c) =>
    plain(c, "unknown", () => {
      throw error;
    }),
  );
  return {
    fetch: async (request, bindings) => await hono.fetch(request, bindings ?? {}),
    answer: createPlainAnswers(parts, plainRoutes),
  };
}

/** The socket's own address. */
function addressOf(c: Hc): string {
  return c.env.incoming?.socket.remoteAddress ?? "127.0.0.1";
}

/** Who sends a secret that no endpoint of the table takes. */
function senderOf(c: Hc, { id }: RequestRecord): Sender {
  const { address, userAgent } = placeOf(c.req.raw.headers, addressOf(c));
  return { address, user_agent: userAgent, request_id: id };
}

/** At the root what a browser opens is a page of the console, or nothing, unless an endpoint says otherwise. */
function isForTheConsole(c: Hc, path: string, methods: ReadonlyMap<string, Route>): boolean {
  if (path.startsWith("/api/") || methods.has("GET")) return false;
  return c.req.method === "GET" || c.req.method === "HEAD";
}

async function serveEndpoint(
  parts: Parts,
  c: Hc,
  path: string,
  methods: ReadonlyMap<string, Route>,
): Promise<Response> {
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const route = methods.get(method);
  const record = new RequestRecord(parts, c.req.method, route?.endpoint.name ?? path);
  if (parts.config.traces !== null) record.named(c.req.header("traceparent"));
  return await finish(parts, c, record, shapeOf(methods), async () => {
    if (!route) return methodNotAllowed(methods);
    const remoteAddress = addressOf(c);
    return await serveRoute(parts, route, {
      request: c.req.raw,
      params: c.req.param(),
      record,
      remoteAddress,
    });
  });
}

async function finish(
  { guard, context }: Parts,
  c: Hc,
  record: RequestRecord,
  shape: Endpoint["errorShape"],
  serve: () => Promise<Answer>,
): Promise<Response> {
  const accepted = c.req.header("accept-encoding") ?? null;
  const answer = await answerOf(accepted, record, shape, context()?.publicUrl ?? null, async () => {
    guard.check(c.req.method, (name) => c.req.header(name) ?? null);
    return await serve();
  });
  // An upstream's own id wins: it is the one that leads to its log.
  const headers: Record<string, string> = { "x-request-id": record.id, ...answer.headers };
  const { body, length } = inPieces(answer.body);
  if (length !== null) headers["content-length"] ??= String(length);
  // Nobody would read it: what it holds, such as its place in the line, would never be given back.
  if (c.req.method === "HEAD" && body instanceof Readable) {
    body.destroy();
    return new Response(null, { status: answer.status, headers });
  }
  return new Response(body instanceof Readable ? webStream(body, answer.onBroken) : body, {
    status: answer.status,
    headers,
  });
}

function shapeOf(methods: ReadonlyMap<string, Route>): Endpoint["errorShape"] {
  return [...methods.values()].every(({ endpoint }) => endpoint.errorShape === "flat") ? "flat" : "nested";
}

function methodNotAllowed(methods: ReadonlyMap<string, Route>): Answer {
  const allowed = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : [])].sort().join(", ");
  const { status, body } = errorAnswer(new ServiceError("method_not_allowed"), shapeOf(methods));
  return jsonAnswer(status, body, { allow: allowed });
}

/** Load balancers ask each second: a probe has a line where its answer is another one than the last. */
function unlessAsBefore(): (status: number) => boolean {
  let last: number | null = null;
  return (status) => {
    const isAsBefore = status === last;
    last = status;
    return !isAsBefore;
  };
}

/** A process whose files are away is as ready as all others: it answers what needs none, and what does waits. */
async function readiness({ phase, databaseAnswers, filesAnswer, paused }: AppParts): Promise<Answer> {
  const asked = phase() === "ready" ? [databaseAnswers(), filesAnswer?.() ?? true] : [false, true];
  const [ready = false, hasFiles = true] = await Promise.all(asked);
  const status = ready ? "ready" : phase() === "ready" ? "the database does not answer" : phase();
  return jsonAnswer(
    ready ? 200 : 503,
    JSON.stringify({
      status,
      ...(paused?.() ? { paused: true } : {}),
      ...(hasFiles ? {} : { files: "unavailable" }),
    }),
    ready ? {} : { "retry-after": "1" },
  );
}

function openApi({ config, handlers }: AppParts): () => Promise<Answer> {
  let document: string | null = null;
  return async () => {
    const there = Object.values(endpoints).filter(({ name }) => name in handlers);
    document ??= JSON.stringify(openApiDocument(there, config.version));
    return jsonAnswer(200, document);
  };
}
