/** A value of an attribute. Whole numbers are sent as such, others as floating point. */
export type AttributeValue = string | number | boolean | readonly string[];
/** By the names of OpenTelemetry's conventions, or ours, which begin with `wheelhouse.`. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly attributes: Attributes;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** One thing that took time, as OpenTelemetry describes it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** Whether the span above is somebody else's. */
  readonly isParentRemote: boolean;
  readonly traceState: string | null;
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  /** Milliseconds since 1970, both. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** Null: nothing went wrong. `message` is there only where contents are asked for. */
  readonly error: { readonly message: string | null } | null;
}

/** Where spans come from. */
export interface Resource {
  readonly attributes: Attributes;
  /** Of this package. */
  readonly version: string;
}
