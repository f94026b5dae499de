import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that the fake model got, as far as tests look into it. */
export interface ModelCallSeen {
  readonly model: string;
  readonly idempotencyKey: string | null;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  readonly authorization: string | null;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: unknown;
  }[];
  readonly tools: readonly string[];
  /** What each of them says that it does, by its name. */
  readonly described: Readonly<Record<string, string>>;
  /** The JSON Schemas of their arguments, in the same order as `tools`. */
  readonly parameters: readonly unknown[];
  /** The most tokens that the answer may have; null where the request leaves it to the model. */
  readonly maxTokens: number | null;
  /** The names of all that the request says. */
  readonly fields: readonly string[];
  /** The JSON Schema that the answer must have; null where none was asked for. */
  readonly schema: unknown;
  readonly at: number;
}

interface FakeToolCall {
  readonly name: string;
  /** Sent as it is: also text that is no JSON. */
  readonly args: string;
}

/** Why an answer ended, where that is not its kind's own reason. */
type FakeReason = "stop" | "length";

/** What the fake model does with one request. */
type FakeAnswer =
  | { readonly type: "text"; readonly text: string; readonly reason?: FakeReason }
  | {
      readonly type: "tools";
      readonly text?: string;
      readonly calls: readonly FakeToolCall[];
      readonly reason?: FakeReason;
    }
  | {
      readonly type: "status";
      readonly status: number;
      readonly retryAfter?: string;
      /** Its clock; default this machine's. */
      readonly date?: string;
      readonly message?: string;
    }
  /** The stream stops in the middle, with or without the socket being torn. */
  | { readonly type: "cut"; readonly text: string; readonly reset: boolean }
  | { readonly type: "garbage" }
  /** Headers, then nothing. */
  | { readonly type: "silence" }
  /** Says again and again that it is at work, and nothing else. */
  | { readonly type: "alive" }
  /** Written by the test, in whichever protocol; default: a stream that is well. */
  | {
      readonly type: "raw";
      readonly status?: number;
      readonly contentType?: string;
      readonly body: string;
    }
  /** Answers when the promise does. */
  | { readonly type: "held"; readonly until: Promise<void>; readonly answer: FakeAnswer };

export interface FakeModelServer {
  /** Base address, ends with `/v1`. */
  readonly url: string;
  readonly calls: readonly ModelCallSeen[];
  /** What the next requests get, in order; after the last, `otherwise`. */
  next(...answers: readonly FakeAnswer[]): void;
  /** Decides by the request where nothing is queued. */
  otherwise(decide: (call: ModelCallSeen) => FakeAnswer): void;
  close(): Promise<void>;
}

/** A local server that speaks the OpenAI chat protocol, streamed, with a schedule of faults that the test writes. */
export async function startFakeModelServer(): Promise<FakeModelServer> {
  const calls: ModelCallSeen[] = [];
  const queue: FakeAnswer[] = [];
  let decide: (call: ModelCallSeen) => FakeAnswer = () => ({ type: "text", text: "Good." });
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      if (body === null) return;
      const call = seen(request, body);
      calls.push(call);
      await answer(response, queue.shift() ?? decide(call));
    });
  });
  // Callers let go of idle connections: were it also this side, one could be cut just when it is used again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    next: (...answers) => void queue.push(...answers),
    otherwise: (next) => {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @returns null where the caller was gone in the middle of it, such as a worker that is killed: that is no call */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What stands in it; null without it, or where it came more than once. */
function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

function seen(request: IncomingMessage, body: string): ModelCallSeen {
  const json = JSON.parse(body);
  type Told = { name: string; description: string; parameters: unknown };
  // Anthropic's protocol has no `function` around it, and another name for the schema.
  const tools: Told[] = (json.tools ?? []).map(
    (tool: { function?: Told; name: string; description: string; input_schema: unknown }) =>
      tool.function ?? { ...tool, parameters: tool.input_schema },
  );
  return {
    model: json.model,
    idempotencyKey: headerOf(request, "idempotency-key"),
    traceparent: headerOf(request, "traceparent"),
    tracestate: headerOf(request, "tracestate"),
    authorization: request.headers.authorization ?? null,
    messages: json.messages,
    tools: tools.map(({ name }) => name),
    described: Object.fromEntries(tools.map(({ name, description }) => [name, description])),
    parameters: tools.map(({ parameters }) => parameters),
    fields: Object.keys(json),
    maxTokens: json.max_completion_tokens ?? json.max_tokens ?? null,
    schema: json.response_format?.json_schema?.schema ?? null,
    at: Date.now(),
  };
}

async function answer(response: ServerResponse, what: FakeAnswer): Promise<void> {
  switch (what.type) {
    case "held":
      await what.until;
      return answer(response, what.answer);
    case "status": {
      const retry = what.retryAfter === undefined ? {} : { "retry-after": what.retryAfter };
      const date = what.date === undefined ? {} : { date: what.date };
      response.writeHead(what.status, { "content-type": "application/json", ...retry, ...date });
      response.end(JSON.stringify({ error: { message: what.message ?? "no", type: "test" } }));
      return;
    }
    case "silence":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      return;
    case "alive": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const saying = setInterval(() => response.write(": keep-alive\n\n"), 20);
      response.on("close", () => clearInterval(saying));
      return;
    }
    case "raw":
      response.writeHead(what.status ?? 200, { "content-type": what.contentType ?? "text/event-stream" });
      response.end(what.body);
      return;
    case "garbage":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"id":"1","choices":[{"del\n\n');
      return;
    case "cut":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ role: "assistant", content: what.text }));
      if (what.reset) setImmediate(() => response.destroy());
      else response.end();
      return;
    case "text":
      return stream(
        response,
        words(what.text).map((content) => ({ content })),
        what.reason ?? "stop",
      );
    case "tools":
      return stream(
        response,
        [...words(what.text ?? "").map((content) => ({ content })), ...toolDeltas(what.calls)],
        what.reason ?? "tool_calls",
      );
  }
}

/** Arguments arrive in two pieces, as real servers send them. */
function toolDeltas(calls: readonly FakeToolCall[]): object[] {
  return calls.flatMap(({ name, args }, index) => {
    const half = Math.ceil(args.length / 2);
    const id = `call_${index}_${name}`;
    return [
      { tool_calls: [{ index, id, type: "function", function: { name, arguments: args.slice(0, half) } }] },
      { tool_calls: [{ index, function: { arguments: args.slice(half) } }] },
    ];
  });
}

function stream(response: ServerResponse, deltas: readonly object[], reason: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const delta of deltas) response.write(chunk(delta));
  response.write(chunk({}, reason));
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  response.write(
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "fake", choices: [], usage })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}

function chunk(delta: object, reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "fake", choices })}\n\n`;
}

function words(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
