import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { readTraces } from "../service/cli/read-traces.ts";
import type { TraceSettings } from "../service/config.ts";
import { until } from "./until.ts";

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** How a request is answered; `hang`: not at all. */
export type CollectorAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  | "hang";

export interface TraceCollector {
  /** As the service gets it by the usual variables; JSON, looks twenty times a second. */
  settings(environment?: Readonly<Record<string, string>>): TraceSettings;
  readonly url: string;
  /** Every span of every request that was answered by 200, as often as it came. */
  readonly spans: readonly ReceivedSpan[];
  /** The same as it came: bodies, unpacked, with their headers. */
  readonly requests: readonly { readonly headers: IncomingMessage["headers"]; readonly body: Buffer }[];
  /** The next requests are answered so, one after the other; all others by 200. */
  next(...answers: readonly CollectorAnswer[]): void;
  /** All requests are answered so; null: by 200. */
  always(answer: CollectorAnswer | null): void;
  /** Waits for so many spans of this trace. @returns them */
  trace(traceId: string, count: number, ms?: number): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

/** Takes OTLP over HTTP. It reads JSON with nothing of ours. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const requests: { headers: IncomingMessage["headers"]; body: Buffer }[] = [];
  const planned: CollectorAnswer[] = [];
  let usual: CollectorAnswer | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
    requests.push({ headers: request.headers, body });
    const answer = planned.shift() ?? usual ?? { status: 200, body: "{}" };
    if (answer === "hang") return;
    if (answer.status === 200 && request.headers["content-type"] === "application/json")
      spans.push(...read(body));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    spans,
    requests,
    settings(environment = {}) {
      const settings = readTraces({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        ...environment,
      });
      if (settings === null) throw new Error("the variables switch traces off");
      return settings;
    },
    next: (...answers) => void planned.push(...answers),
    always: (answer) => {
      usual = answer;
    },
    async trace(traceId, count, ms) {
      const found = () => spans.filter((span) => span.traceId === traceId);
      await until(`${count} spans of ${traceId}`, () => found().length >= count, ms);
      return found();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: it is what came, and tests look into it
function read(body: Buffer): any[] {
  const request = JSON.parse(body.toString());
  return request.resourceSpans.flatMap(({ resource, scopeSpans }: never) =>
    (scopeSpans as { spans: never[] }[]).flatMap(({ spans }) =>
      spans.map((span) => readSpan(span, resource)),
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the same
function readSpan(span: any, resource: any) {
  return {
    ...span,
    resource: attributesOf(resource.attributes),
    start: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    end: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
    attributes: attributesOf(span.attributes),
    // biome-ignore lint/suspicious/noExplicitAny: the same
    events: span.events.map((event: any) => ({ ...event, attributes: attributesOf(event.attributes) })),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the same
function attributesOf(list: any[]): Record<string, unknown> {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const toValue = (value: any): unknown => {
    if ("arrayValue" in value) return value.arrayValue.values.map(toValue);
    if ("intValue" in value) return Number(value.intValue);
    return value.stringValue ?? value.boolValue ?? value.doubleValue;
  };
  return Object.fromEntries(list.map(({ key, value }) => [key, toValue(value)]));
}
