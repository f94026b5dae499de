import { flagsOf, kinds, linkFlags, nanoseconds, scopeName, statusError, statusUnset } from "./otlp.ts";
import type { Attributes, AttributeValue, Resource, Span } from "./span.ts";

/** An `ExportTraceServiceRequest` in OTLP's JSON: ids are hexadecimal, kinds are numbers, times are text. */
export function toOtlpJson({ attributes, version }: Resource, spans: readonly Span[]): string {
  const scope = { name: scopeName, version };
  const resource = { attributes: attributesOf(attributes) };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }],
  });
}

function spanOf(span: Span) {
  const { traceId, spanId, parentSpanId, traceState, name } = span;
  return {
    ...{ traceId, spanId, name, kind: kinds[span.kind], flags: flagsOf(span) },
    ...(traceState === null ? {} : { traceState }),
    ...(parentSpanId === null ? {} : { parentSpanId }),
    startTimeUnixNano: String(nanoseconds(span.start)),
    endTimeUnixNano: String(nanoseconds(span.end)),
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name, at, attributes }) => ({
      ...{ timeUnixNano: String(nanoseconds(at)), name, attributes: attributesOf(attributes) },
    })),
    links: span.links.map(({ attributes, ...ids }) => ({
      ...{ ...ids, attributes: attributesOf(attributes), flags: linkFlags },
    })),
    status: {
      code: span.error === null ? statusUnset : statusError,
      ...(span.error?.message ? { message: span.error.message } : {}),
    },
  };
}

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));

function toValue(value: AttributeValue): unknown {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map(toValue) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
