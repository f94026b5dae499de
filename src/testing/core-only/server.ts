import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { conversationAt, runAt, type StoredConversation, type StoredRun } from "./clockwork.ts";
import * as data from "./data.ts";
import { storedZip } from "./zip.ts";

/** A service that has the endpoints of §4 and nothing else: no capabilities, no lists of runs, flows or teams. */
export interface CoreOnlyService {
  /** Ends with `/api/v1`. */
  readonly url: string;
  /** Every request so far, as `GET /agents`. */
  readonly requests: readonly string[];
  /** While held no turn ends: a test that looks at one going on needs no luck with the time. */
  holdTurns(isHeld: boolean): void;
  stop(): Promise<void>;
}

type Body = Record<string, unknown>;
type Answer = { status: number; json?: unknown; bytes?: Buffer; type?: string };
type Route = (match: RegExpMatchArray, query: URLSearchParams, body: Body) => Answer;

const ok = (json: unknown, status = 200): Answer => ({ status, json });
const flat = (status: number, error: string): Answer => ({ status, json: { error } });
const nested = (status: number, code: string, message: string): Answer => ({
  status,
  json: { error: { code, message, type: "invalid_request_error", param: null, details: null } },
});

function routes(origin: () => string, isHeld: () => boolean): [string, RegExp, Route][] {
  const runs = new Map<string, StoredRun>();
  const conversations = new Map<string, StoredConversation>();
  const agents = data.agents();
  const sources = data.sources();
  const access = data.access();
  let counter = 0;
  const nextId = (prefix: string) => `${prefix}_core_${++counter}`;
  const agentOf = (id: string | undefined) => agents.find((agent) => agent.id === id && agent.is_active);

  return [
    [
      "GET",
      /^\/agents$/,
      () =>
        ok({ agents: agents.filter((agent) => agent.is_active).map(withoutCollections), next_cursor: null }),
    ],
    [
      "GET",
      /^\/agents\/([^/]+)$/,
      ([, id]) => (agentOf(id) ? ok({ agent: agentOf(id) }) : nested(404, "not_found", "No such agent")),
    ],
    ["PATCH", /^\/agents\/([^/]+)$/, ([, id], _query, body) => patchAgent(agentOf(id), body)],
    ["GET", /^\/models$/, () => ok(data.models)],
    [
      "POST",
      /^\/start_agent$/,
      (_match, _query, body) => {
        if (body.gummie_id === undefined) return flat(400, "gummie_id is required");
        if (body.message === undefined) return flat(400, "message is required");
        if (body.user_id === undefined && body.project_id === undefined)
          return flat(400, "project_id or user_id is required");
        const agent = agentOf(String(body.gummie_id));
        if (agent === undefined) return flat(404, "gummie_not_found");
        const turn = { message: String(body.message), startedAt: Date.now() };
        const known = conversations.get(String(body.interaction_id ?? ""));
        if (body.interaction_id !== undefined && known === undefined)
          return flat(404, "interaction_not_found");
        if (known !== undefined) {
          if (conversationAt(known, Date.now(), isHeld()).state === "ASYNC_PROCESSING")
            return flat(409, "interaction_not_in_terminal_state");
          known.turns.push(turn);
          return ok({ interaction_id: known.id, status: "processing" }, 202);
        }
        const id = nextId("int");
        conversations.set(id, { id, agentId: agent.id, turns: [turn] });
        return ok({ interaction_id: id, status: "processing" }, 202);
      },
    ],
    [
      "GET",
      /^\/agent_status\/([^/]+)$/,
      ([, id]) => {
        const known = conversations.get(id ?? "");
        return known === undefined
          ? flat(404, "interaction_not_found")
          : ok(conversationAt(known, Date.now(), isHeld()));
      },
    ],
    [
      "POST",
      /^\/start_pipeline$/,
      (_match, query, body) => {
        const flow = query.get("saved_item_id") ?? "";
        if (!data.flows.has(flow)) return flat(404, "saved_item_not_found");
        const id = nextId("run");
        runs.set(id, {
          id,
          flow,
          userId: query.get("user_id") ?? "",
          body,
          startedAt: Date.now(),
          killedAt: null,
        });
        return ok({ run_id: id, saved_item_id: flow, url: `https://elsewhere.example.test/runs/${id}` });
      },
    ],
    [
      "GET",
      /^\/get_pl_run$/,
      (_match, query) => {
        const run = runs.get(query.get("run_id") ?? "");
        return run === undefined ? flat(404, "run not found") : ok(runAt(run, Date.now()));
      },
    ],
    [
      "POST",
      /^\/kill_pipeline$/,
      (_match, _query, body) => {
        const run = runs.get(String(body.run_id));
        if (run === undefined) return flat(404, "run not found");
        run.killedAt ??= Date.now();
        return ok({ success: true, run_id: run.id });
      },
    ],
    ["POST", /^\/download_files$/, (_match, _query, body) => download(body)],
    ["PUT", /^\/artifacts\/art_1\/access$/, (_match, _query, body) => changeAccess(access, body)],
    [
      "GET",
      /^\/agents\/([^/]+)\/artifacts$/,
      () =>
        ok({
          artifacts: data.artifacts.map((item) => ({ ...item, url: item.url && origin() + item.url })),
          next_cursor: null,
        }),
    ],
    ["GET", /^\/mcp\/servers$/, () => ok({ servers: data.servers })],
    [
      "GET",
      /^\/agents\/([^/]+)\/evaluations\/metrics$/,
      ([, id], query) => ok(data.metrics(id ?? "", Number(query.get("days") ?? 30))),
    ],
    [
      "GET",
      /^\/agents\/([^/]+)\/evaluation-config$/,
      ([, id]) => ok({ config: data.evaluationConfig(id ?? "") }),
    ],
    [
      "POST",
      /^\/brain\/sources\/([^/]+)\/approve$/,
      ([, id]) => {
        const source = sources.get(id ?? "");
        if (source === undefined) return nested(404, "not_found", "No such source");
        if (source.status !== "draft") return nested(409, "source_not_draft", "Already approved");
        source.status = "indexing_in_progress";
        return ok({ source });
      },
    ],
    [
      "DELETE",
      /^\/evaluations\/([^/]+)$/,
      ([, id]) => (id === "ev_1" ? { status: 204 } : nested(404, "not_found", "No such evaluation")),
    ],
  ];
}

function withoutCollections(agent: data.StoredAgent): Body {
  const { tools: _tools, resources: _resources, ...rest } = agent;
  return rest;
}

function patchAgent(agent: data.StoredAgent | undefined, body: Body): Answer {
  if (agent === undefined) return nested(404, "not_found", "No such agent");
  if (typeof body.version === "number" && body.version !== agent.version) {
    return nested(409, "agent_version_conflict", "The agent changed");
  }
  const fields = [
    "name",
    "model_name",
    "description",
    "system_prompt",
    "tools",
    "resources",
    "is_active",
    "team_id",
  ];
  for (const field of fields) if (body[field] !== undefined) agent[field] = body[field];
  agent.version = (agent.version ?? 0) + 1;
  return ok({ agent });
}

function changeAccess(access: ReturnType<typeof data.access>, body: Body): Answer {
  const link = body.link;
  if (typeof link === "object" && link !== null && "mode" in link) access.link = String(link.mode);
  return ok({ access, notified: [] });
}

function download(body: Body): Answer {
  const names = Array.isArray(body.file_names) ? body.file_names.map(String) : [];
  return {
    status: 200,
    bytes: storedZip(names.map((name) => ({ name, text: `contents of ${name}` }))),
    type: "application/zip",
  };
}

async function readBody(request: IncomingMessage): Promise<Body | null> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.bytes !== undefined) {
    response
      .writeHead(answer.status, { "content-type": answer.type ?? "application/octet-stream" })
      .end(answer.bytes);
  } else if (answer.json === undefined) response.writeHead(answer.status).end();
  else
    response
      .writeHead(answer.status, { "content-type": "application/json" })
      .end(JSON.stringify(answer.json));
}

/** Starts it on a free port of the loopback interface. One key is good: `key` of data.ts. */
export async function startCoreOnlyService(): Promise<CoreOnlyService> {
  const requests: string[] = [];
  let server: Server;
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let isHeld = false;
  const table = routes(origin, () => isHeld);
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://core-only");
    const path = url.pathname.replace(/^\/api\/v1/, "");
    requests.push(`${request.method} ${path}`);
    if (path === "/signed/art_1")
      return send(response, { status: 200, bytes: Buffer.from("claim,urgency\n1,2\n"), type: "text/csv" });
    const authorization = request.headers.authorization;
    if (authorization === undefined)
      return send(response, nested(401, "missing_credentials", "No credential"));
    if (authorization !== `Bearer ${data.key}`) return send(response, flat(403, "Unauthorized"));
    const body = await readBody(request);
    if (body === null) return send(response, flat(400, "body must be a JSON object"));
    for (const [method, pattern, route] of table) {
      const match = path.match(pattern);
      if (method === request.method && match !== null)
        return send(response, route(match, url.searchParams, body));
    }
    // A stranger's 404 is a page, not JSON.
    send(response, {
      status: 404,
      bytes: Buffer.from("<html><body>Not Found</body></html>"),
      type: "text/html",
    });
  });
  // Whoever asks ends a connection that rests: never does a request meet one that is being closed here.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${origin()}/api/v1`,
    requests,
    holdTurns: (next) => {
      isHeld = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
