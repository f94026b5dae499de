import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { examples, key } from "./examples.ts";

/** What one request gets. `json` wins over `body`; neither: the example of the route. */
export interface HostileAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing is sent before this is resolved. */
  readonly after?: Promise<unknown>;
  /** The connection is closed: `before` anything was said, or in the `middle` of the body. */
  readonly cut?: "before" | "middle";
}

export interface HostileRequest {
  readonly method: string;
  /** Below `/api/v1`, without the query. */
  readonly path: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type Answering = HostileAnswer | ((request: HostileRequest) => HostileAnswer);

/** Named like the routes of examples.ts: `GET /agents/{id}`. */
function routeOf(method: string, path: string): string {
  const exact = `${method} ${path}`;
  if (exact in examples) return exact;
  const general = exact.replace(/(\/(?:agents|sessions|agent_status|runs))\/[^/]+/, "$1/{id}");
  return general;
}

/**
 * A service that says whatever a test tells it to, byte by byte, and notes what it was asked. Healthy until told
 * otherwise. It looks at the key alone.
 */
export class HostileService {
  readonly requests: HostileRequest[] = [];
  readonly #told = new Map<string, Answering>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The key that is good now. */
  key: string = key;

  /** Listens on a free port of the loopback interface. */
  static async start(): Promise<HostileService> {
    const service = new HostileService();
    // Whoever asks ends a connection that rests: never does a request meet one that is being closed here.
    service.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends with `/api/v1`. */
  get url(): string {
    return `${this.origin}/api/v1`;
  }

  /** From now on this route is answered so; `*` is every route that has no answer of its own. */
  on(route: string, answer: Answering): void {
    this.#told.set(route, answer);
  }

  /** Healthy again: the route, or everything. */
  calm(route?: string): void {
    if (route === undefined) {
      this.#told.clear();
      this.key = key;
    } else this.#told.delete(route);
  }

  /** How often a route was asked, or anything. */
  count(route?: string): number {
    return route === undefined
      ? this.requests.length
      : this.requests.filter((one) => one.route === route).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://hostile");
    const path = url.pathname.replace(/^\/api\/v1/, "");
    const method = incoming.method ?? "GET";
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const request: HostileRequest = {
      method,
      path,
      route: routeOf(method, path),
      query: url.searchParams,
      headers: incoming.headers,
      body,
      at: Date.now(),
    };
    this.requests.push(request);
    await this.#send(response, this.#answerTo(request));
  }

  #answerTo(request: HostileRequest): HostileAnswer {
    const { authorization } = request.headers;
    const told = this.#told.get(request.route) ?? this.#told.get("*");
    if (authorization === undefined) return { status: 401, json: { error: "No credential" } };
    if (authorization !== `Bearer ${this.key}`) return { status: 401, json: { error: "Unauthorized" } };
    const answer = typeof told === "function" ? told(request) : (told ?? {});
    if (answer.json !== undefined || answer.body !== undefined || answer.cut !== undefined) return answer;
    if (answer.status !== undefined && answer.status !== 200) return answer;
    const example = examples[request.route];
    if (example === undefined) return { status: 404, body: "<html><body>Not Found</body></html>" };
    return { ...answer, json: example, status: request.route === "POST /start_agent" ? 202 : 200 };
  }

  async #send(response: ServerResponse, answer: HostileAnswer): Promise<void> {
    await answer.after;
    if (answer.cut === "before") {
      response.destroy();
      return;
    }
    const isJson = answer.json !== undefined;
    const bytes = Buffer.from(isJson ? JSON.stringify(answer.json) : (answer.body ?? ""));
    response.writeHead(answer.status ?? 200, {
      "content-type": isJson ? "application/json" : "text/html",
      ...answer.headers,
    });
    if (answer.cut === "middle") {
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return;
    }
    response.end(bytes);
  }
}
