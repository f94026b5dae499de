/** Of which trace something is a part, as W3C Trace Context says it. */
export interface TraceParent {
  /** 32 hexadecimal digits, in lower case. */
  readonly traceId: string;
  /** Of the span above, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether whoever is above keeps the trace. */
  readonly isSampled: boolean;
  /** `tracestate`, handed on as it came; null: none. */
  readonly state: string | null;
}

/** The headers that hand a trace on to others. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The headers for what a part of an execution does outside, by the key of its span (`traces/span-keys.ts`). */
export type TraceOf = (spanKey: string) => TraceHeaders;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;
/** Members by their keys and values as the recommendation has them; empty ones are allowed. */
const stateForm = /^[ \t]*[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const stateMembers = 32;
const stateLength = 512;

/**
 * Reads what a caller said of its trace. Whatever is not exactly as it has to be counts as not said: a stranger's header
 * refuses no request.
 * @param parent the header `traceparent`
 * @param state the header `tracestate`; what is wrong in it costs itself alone
 */
export function readTraceParent(parent: string | undefined, state: string | undefined): TraceParent | null {
  if (parent === undefined || parent.length > 1_000) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = form.exec(parent) ?? [];
  // A later version may say more; this one may not, and there is none of the number 255.
  if (version === "" || version === "ff" || (version === "00" && more !== undefined)) return null;
  if (zeros.test(traceId) || zeros.test(spanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: readState(state) };
}

function readState(state: string | undefined): string | null {
  if (state === undefined || state.length > stateLength) return null;
  const members = state.split(",").filter((member) => member.trim() !== "");
  const isFine = members.length <= stateMembers && members.every((member) => stateForm.test(member));
  return isFine && members.length > 0 ? members.map((member) => member.trim()).join(",") : null;
}

/** What a caller said of its trace in the headers of a request, by lower-case names; null: nothing that holds. */
export function callerTrace(headers: ReadonlyMap<string, string>): TraceParent | null {
  return readTraceParent(headers.get("traceparent"), headers.get("tracestate"));
}

/** How the trace is handed on. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceParent): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}
