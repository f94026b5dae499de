import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { describe, expect, it } from "vitest";
import { scopeName, toProtobuf } from "./otlp.ts";
import { toOtlpJson } from "./otlp-json.ts";
import { readJsonAnswer, readProtobufAnswer } from "./partial-success.ts";
import type { Resource, Span } from "./span.ts";

type Theirs = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0];

const resource: Resource = { attributes: { "service.name": "wheelhouse", zone: "ü" }, version: "1.2.3" };
const plain: Span = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  parentSpanId: null,
  isParentRemote: false,
  traceState: null,
  name: "invoke_workflow",
  kind: "server",
  start: 1_795_700_000_123,
  end: 1_795_700_001_000,
  attributes: {},
  events: [],
  links: [],
  error: null,
};
const full: Span = {
  ...plain,
  spanId: "ffffffffffffffff",
  parentSpanId: plain.spanId,
  isParentRemote: true,
  traceState: "a=1,b=2",
  kind: "client",
  attributes: {
    ...{ text: "Müller 🦀", none: "", small: 0, whole: 300, large: 2 ** 40, half: 0.5, below: -1.5 },
    ...{ yes: true, no: false, several: ["a", "b"], nothing: [], long: "x".repeat(70_000) },
  },
  events: [{ name: "wait", at: 1_795_700_000_500, attributes: { ms: 5 } }],
  links: [{ traceId: "a".repeat(32), spanId: "b".repeat(16), attributes: { why: "takeover" } }],
  error: { message: "it failed" },
};
const quiet: Span = { ...plain, kind: "internal", error: { message: null } };
const spans = [plain, full, quiet];

/** The same as OpenTelemetry's own encoders take it. */
function asTheirs(all: readonly Span[]): Theirs {
  const time = (ms: number): [number, number] => [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
  const scope = { name: scopeName, version: resource.version };
  const from = { attributes: resource.attributes };
  const state = (text: string | null) => (text === null ? undefined : { serialize: () => text });
  const theirs = all.map((span) => ({
    name: span.name,
    kind: { internal: 0, server: 1, client: 2 }[span.kind],
    spanContext: () => ({
      ...{ traceId: span.traceId, spanId: span.spanId, traceFlags: 1, traceState: state(span.traceState) },
    }),
    ...(span.parentSpanId !== null && {
      parentSpanContext: { spanId: span.parentSpanId, traceId: span.traceId, isRemote: span.isParentRemote },
    }),
    startTime: time(span.start),
    endTime: time(span.end),
    attributes: span.attributes,
    events: span.events.map(({ at, ...event }) => ({ ...event, time: time(at) })),
    links: span.links.map(({ attributes, ...context }) => ({
      ...{ attributes, context: { ...context, traceFlags: 1 } },
    })),
    status: span.error === null ? { code: 0 } : { code: 2, message: span.error.message ?? undefined },
    ...{ resource: from, instrumentationScope: scope, duration: [0, 0], ended: true },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  }));
  // Of all that their type has, their encoders read this.
  return theirs as unknown as Theirs;
}

/** Without what says nothing: zero counts. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !name.startsWith("dropped"))
    .map(([name, one]): [string, unknown] => [name, name === "intValue" ? String(one) : bare(one)]);
  return Object.fromEntries(entries);
}

describe("an export request", () => {
  it("is in protobuf, byte for byte, what OpenTelemetry's own encoder makes of the same spans", () => {
    const theirs = ProtobufTraceSerializer.serializeRequest(asTheirs(spans));
    expect(toProtobuf(resource, spans).equals(Buffer.from(theirs ?? []))).toBe(true);
  });

  it("says in JSON what OpenTelemetry's own encoder says of the same spans", () => {
    const theirs = JsonTraceSerializer.serializeRequest(asTheirs(spans)) ?? new Uint8Array();
    expect(bare(JSON.parse(toOtlpJson(resource, spans)))).toEqual(
      bare(JSON.parse(Buffer.from(theirs).toString())),
    );
  });
});

describe("the answer to one", () => {
  it("tells how many spans were not taken, in both forms", () => {
    const words = Buffer.from("too old");
    const partial = Buffer.from([0x08, 0xac, 0x02, 0x12, words.length, ...words]);
    const answer = Buffer.from([0x0a, partial.length, ...partial]);
    expect(readProtobufAnswer(answer)).toEqual({ rejected: 300, words: "too old" });
    const json = { partialSuccess: { rejectedSpans: "300", errorMessage: "too old" } };
    expect(readJsonAnswer(JSON.stringify(json))).toEqual({ rejected: 300, words: "too old" });
  });

  it.each([
    ...["", "{", "[]", "null", '{"partialSuccess":null}', '{"partialSuccess":{"rejectedSpans":-1}}'],
    ...['{"partialSuccess":{"rejectedSpans":"x"}}', "<html>"],
  ])("that cannot be read says nothing: %j", (text) => {
    const nothing = { rejected: 0, words: "" };
    expect(readJsonAnswer(text)).toEqual(nothing);
    expect(readProtobufAnswer(Buffer.from(text))).toEqual(nothing);
    expect(readProtobufAnswer(Buffer.from([0x0a, 0xff, ...Buffer.from(text)]))).toEqual(nothing);
  });
});
