import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { readTraces } from "../service/cli/read-traces.ts";
import type { TraceSettings } from "../service/config.ts";
import { until } from "./until.ts";

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly traceState?: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly status: { readonly code: number; readonly message?: string | undefined };
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

type Value = string | number | boolean | readonly Value[];
const value: z.ZodType<Value> = z.lazy(() =>
  z.union([
    z.object({ stringValue: z.string() }).transform((one) => one.stringValue),
    z.object({ boolValue: z.boolean() }).transform((one) => one.boolValue),
    z.object({ intValue: z.coerce.number() }).transform((one) => one.intValue),
    z.object({ doubleValue: z.number() }).transform((one) => one.doubleValue),
    z.object({ arrayValue: z.object({ values: z.array(value) }) }).transform((one) => one.arrayValue.values),
  ]),
);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map((one) => [one.key, one.value])));
const milliseconds = z.string().transform((nanoseconds) => Number(BigInt(nanoseconds) / 1_000_000n));
const received = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.optional(z.string()),
              traceState: z.optional(z.string()),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: milliseconds,
              endTimeUnixNano: milliseconds,
              attributes,
              events: z.array(z.looseObject({ name: z.string(), attributes })),
              links: z.array(z.looseObject({ traceId: z.string(), spanId: z.string(), attributes })),
              status: z.object({ code: z.number(), message: z.optional(z.string()) }),
            }),
          ),
        }),
      ),
    }),
  ),
});

function read(body: Buffer): ReceivedSpan[] {
  return received.parse(JSON.parse(body.toString())).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ startTimeUnixNano: start, endTimeUnixNano: end, ...span }) => ({
        ...span,
        ...{ start, end, resource: resource.attributes },
      })),
  );
}
