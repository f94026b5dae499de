import type { Attributes, Span, SpanEvent } from "./span.ts";
import { spanIdOf } from "./span-keys.ts";

/** What a span of an execution is made of; ids follow from the keys. */
export interface SpanPart {
  readonly key: string;
  /** Of the span above, in the same execution. */
  readonly above: string;
  readonly name: string;
  readonly kind: Span["kind"];
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  readonly error: Span["error"];
}

/** The trace that all spans of a tree belong to. */
export interface TreeTrace {
  readonly traceId: string;
  readonly traceState: string | null;
  /** The caller's span; null: the tree begins the trace. */
  readonly callerSpanId: string | null;
}

/** A span of one execution. Nothing ends before it began, whatever clocks said. */
export function partSpan(
  { traceId, traceState }: TreeTrace,
  executionId: string,
  { key, above, events = [], ...said }: SpanPart,
): Span {
  return {
    ...{
      traceId,
      traceState,
      spanId: spanIdOf(executionId, key),
      parentSpanId: spanIdOf(executionId, above),
    },
    ...{ isParentRemote: false, links: [], events },
    ...said,
    end: Math.max(said.start, said.end),
  };
}

/** Of one attribute, in characters. */
const longest = 32_768;

/** Text or JSON as an attribute holds it. */
export function contentOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

/** Attributes without those that are null. */
export function known(attributes: Readonly<Record<string, Attributes[string] | null>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
