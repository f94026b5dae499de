import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { anySignal } from "../any-signal.ts";
import type { TraceSettings } from "../config.ts";
import { readRetryAfter } from "../outgoing/retry-after.ts";
import { longestPauseMs } from "./claims.ts";
import { toProtobuf } from "./otlp.ts";
import { toOtlpJson } from "./otlp-json.ts";
import { type PartialSuccess, readJsonAnswer, readProtobufAnswer } from "./partial-success.ts";
import type { Resource, Span } from "./span.ts";

/** What a collector made of a request. */
export type Sent =
  /** `rejected`: how many of the spans it did not take and never will; `words` say why. */
  | { readonly type: "taken"; readonly rejected: number; readonly words: string }
  /** It never will. */
  | { readonly type: "refused"; readonly words: string }
  /** Later it may. `afterMs`: not before; null: it did not say. */
  | { readonly type: "later"; readonly afterMs: number | null; readonly words: string };

/** `host:port` of the collector, as the guarded fetch has them: the operator named it, so it may be on a private address. */
export function collectorHost({ url }: Pick<TraceSettings, "url">): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

type Fetch = typeof globalThis.fetch;

const pack = promisify(gzip);
/** Answers after which OTLP says to try again; all others above 299 hold for ever. */
const passing = new Set([429, 502, 503, 504]);
const mostAnswer = 64 * 1024;

/**
 * Sends spans to the collector once.
 * @param signal ends it
 * @throws the signal's reason where that is aborted
 */
export async function sendSpans(
  fetch: Fetch,
  settings: TraceSettings,
  resource: Resource,
  spans: readonly Span[],
  signal: AbortSignal,
): Promise<Sent> {
  const isJson = settings.protocol === "http/json";
  const body = isJson ? Buffer.from(toOtlpJson(resource, spans)) : toProtobuf(resource, spans);
  const headers = {
    "user-agent": `wheelhouse/${resource.version}`,
    ...settings.headers,
    "content-type": isJson ? "application/json" : "application/x-protobuf",
    ...(settings.isCompressed ? { "content-encoding": "gzip" } : {}),
  };
  const limit = anySignal([signal, AbortSignal.timeout(settings.timeoutMs)]);
  try {
    const sent = settings.isCompressed ? await pack(body) : body;
    const answer = await fetch(settings.url, {
      method: "POST",
      headers,
      body: new Uint8Array(sent),
      signal: limit,
    });
    const { status } = answer;
    if (passing.has(status)) {
      await answer.body?.cancel();
      return {
        type: "later",
        afterMs: waitOf(answer),
        words: `it answered ${status}`,
      };
    }
    if (status >= 300) {
      await answer.body?.cancel();
      return { type: "refused", words: `it answered ${status}` };
    }
    return { type: "taken", ...(await answerOf(answer, isJson)) };
  } catch (error) {
    signal.throwIfAborted();
    // Without the cause: it may name an address with what is behind the question mark.
    const words = limit.aborted ? `no answer within ${settings.timeoutMs} ms` : nameOf(error);
    return { type: "later", afterMs: null, words };
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.message : "it could not be reached");

function waitOf({ headers }: Response): number | null {
  const ms = readRetryAfter({ "retry-after": headers.get("retry-after"), date: headers.get("date") });
  return ms === null ? null : Math.min(ms, longestPauseMs);
}

/** What it says beside that it took them. */
async function answerOf(answer: Response, isJson: boolean): Promise<PartialSuccess> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length > mostAnswer) return { rejected: 0, words: "" };
  return isJson ? readJsonAnswer(bytes.toString()) : readProtobufAnswer(bytes);
}
