import { Hono, type Context as HonoContext } from "hono";
import type { Logger } from "pino";
import type { Endpoint } from "../../contract/define.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Handlers } from "../areas/handler.ts";
import type { Config } from "../config.ts";
import type { Clock, Context, Ids } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { compress } from "./compress.ts";
import { asServiceError, errorAnswer } from "./errors.ts";
import { openApiDocument } from "./openapi.ts";
import { RequestRecord } from "./request-record.ts";
import { type Arrival, createRoute } from "./route.ts";
import { createSignedFiles } from "./signed-files.ts";
import { createStaticFiles } from "./static.ts";
import { createUpstreams } from "./upstream.ts";

/** Where the process is between its start and its end. */
export type Phase = "starting" | "ready" | "draining";

/** What the HTTP room is built from. The context comes later than the open port: a start listens at once. */
export interface AppParts {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly handlers: Handlers<typeof endpoints>;
  /** Tells this data directory or database from others: a second start asks for it. */
  readonly instance: string;
  readonly phase: () => Phase;
  /** Null until the database and the engine are up. */
  readonly context: () => Context | null;
  /** Whether the database answers, for `/readyz`. */
  readonly databaseAnswers: () => Promise<boolean>;
  /** Parse every answer by the contract, in tests and development. */
  readonly checkAnswers: boolean;
}

/** What node's server gives beside the request; missing where the fetch function is called directly, as MSW does. */
export type Bindings = {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
};

/** The service as one fetch function. */
export interface App {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
}

type Serve = (context: Context, arrival: Arrival) => Promise<Answer>;
type Route = { readonly endpoint: Endpoint; readonly serve: Serve };
type Hc = HonoContext<{ Bindings: Bindings }>;

const base = "/api/v1";

/** Builds every route from the endpoint table; beside it the console, the upstreams, signed files and the probes. */
export function createApp(parts: AppParts): App {
  const { handlers, checkAnswers } = parts;
  const hono = new Hono<{ Bindings: Bindings }>();
  const byPath = new Map<string, Map<string, Route>>();
  const add = <K extends keyof typeof endpoints>(name: K) => {
    const endpoint = endpoints[name];
    const methods = byPath.get(endpoint.path) ?? new Map<string, Route>();
    methods.set(endpoint.method, { endpoint, serve: createRoute(endpoint, handlers[name], checkAnswers) });
    byPath.set(endpoint.path, methods);
  };
  for (const name of Object.keys(endpoints)) add(name as keyof typeof endpoints);

  for (const [path, methods] of byPath) {
    const pattern = base + path.replaceAll(/\{(\w+)\}/g, ":$1");
    hono.all(pattern, (c) => serveEndpoint(parts, c, methods));
  }
  const health = JSON.stringify({
    status: "ok",
    service: "wheelhouse",
    instance: parts.instance,
    pid: process.pid,
  });
  hono.get("/healthz", (c) => plain(parts, c, async () => jsonAnswer(200, health)));
  hono.get("/readyz", (c) => plain(parts, c, () => readiness(parts)));
  hono.get(`${base}/openapi.json`, (c) => plain(parts, c, openApi(parts)));
  const signedFiles = createSignedFiles(parts.context);
  hono.all(`${base}/files/:id`, (c) => plain(parts, c, () => signedFiles(c.req.raw)));
  const upstreams = createUpstreams(parts.config.upstreams);
  hono.all("/upstream/:name/api/v1/*", (c) =>
    plain(parts, c, (record) => upstreams(c.req.param("name"), c.req.raw, record.id)),
  );
  const staticFiles = createStaticFiles(parts.config.consoleDirectory, parts.config.upstreams);
  hono.notFound((c) =>
    plain(parts, c, async () => {
      if (c.req.path.startsWith("/api/") || c.req.path.startsWith("/upstream/"))
        throw new ServiceError("not_found");
      return await staticFiles(c.req.raw);
    }),
  );
  return { fetch: async (request, bindings) => await hono.fetch(request, bindings ?? {}) };
}

async function serveEndpoint(parts: AppParts, c: Hc, methods: ReadonlyMap<string, Route>): Promise<Response> {
  // The router matched, so every name of the pattern has a value.
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const route = methods.get(method);
  const record = new RequestRecord(parts, c.req.method, route?.endpoint.name ?? c.req.routePath);
  return await finish(c, record, route?.endpoint.errorShape ?? "nested", async () => {
    if (!route) return methodNotAllowed([...methods.keys()]);
    const context = parts.context();
    if (context === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    return await route.serve(context, {
      request: c.req.raw,
      params: c.req.param(),
      requestId: record.id,
      remoteAddress: c.env.incoming?.socket.remoteAddress ?? "127.0.0.1",
      log: record.log,
      identified: (caller) => record.identify(caller),
    });
  });
}

/** What is no endpoint of the table. Its path is logged only as the router's pattern: it may hold a signature. */
function plain(parts: AppParts, c: Hc, serve: (record: RequestRecord) => Promise<Answer>): Promise<Response> {
  const record = new RequestRecord(parts, c.req.method, c.req.routePath);
  return finish(c, record, "nested", () => serve(record));
}

async function finish(
  c: Hc,
  record: RequestRecord,
  shape: Endpoint["errorShape"],
  serve: () => Promise<Answer>,
): Promise<Response> {
  let answer: Answer;
  try {
    answer = await compress(await serve(), c.req.header("accept-encoding") ?? null);
  } catch (thrown) {
    const error = asServiceError(thrown);
    const { status, code, headers, body } = errorAnswer(error, shape);
    record.fail(code, error, status >= 500);
    answer = jsonAnswer(status, body, headers);
  }
  record.end(answer.status);
  const headers = { ...answer.headers, "x-request-id": record.id };
  return new Response(answer.body, { status: answer.status, headers });
}

function methodNotAllowed(methods: readonly string[]): Answer {
  const allowed = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort().join(", ");
  const { status, body } = errorAnswer(new ServiceError("method_not_allowed"), "nested");
  return jsonAnswer(status, body, { allow: allowed });
}

async function readiness({ phase, databaseAnswers }: AppParts): Promise<Answer> {
  const ready = phase() === "ready" && (await databaseAnswers());
  const status = ready ? "ready" : phase() === "ready" ? "the database does not answer" : phase();
  return jsonAnswer(ready ? 200 : 503, JSON.stringify({ status }), ready ? {} : { "retry-after": "1" });
}

function openApi({ config }: AppParts): () => Promise<Answer> {
  let document: string | null = null;
  return async () => {
    document ??= JSON.stringify(openApiDocument(endpoints, config.version));
    return jsonAnswer(200, document);
  };
}
