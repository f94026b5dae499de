import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { longestTraceTimeoutMs, type TraceSettings } from "../config.ts";
import type { Meters } from "../meters.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import type { Database } from "../store/schema.ts";
import { isDatabaseUnavailable } from "../store/store-error.ts";
import {
  type ClaimedTrace,
  claimTraces,
  dropOldTraces,
  forgetTraces,
  keepTraces,
  longestPauseMs,
  mostHours,
  releaseTraces,
} from "./claims.ts";
import { executionSpans } from "./execution-spans.ts";
import type { TreeTrace } from "./part-span.ts";
import { readExecutions, type TracedExecution } from "./read-tree.ts";
import { sendSpans } from "./send.ts";
import type { Span } from "./span.ts";

/** Trees that are claimed at once. */
const treesAtOnce = 50;
/** Executions of one tree that are read at once. */
const executionsAtOnce = 20;
/** Spans that are sent together; those of one execution go together, as far as a request holds them. */
const spansAtOnce = 500;
/** Of one request at most: collectors refuse what is too large, and with it the whole trace. */
const mostSpans = 2_000;
/** For so long trees that were claimed at once are read and sent before they are claimed for longer, in milliseconds. */
const exportMs = 40_000;
/** Beyond that for two requests: never at the same time as whoever claims what we let lie. */
const claimMsOf = (timeoutMs: number) => exportMs + 2 * timeoutMs;
/** Nobody claims them for longer, nor leaves them for so long: other processes may wait longer for their collector. */
const longestClaimMs = Math.max(claimMsOf(longestTraceTimeoutMs), longestPauseMs);
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

interface ExporterParts {
  readonly db: Kysely<Database>;
  readonly log: Logger;
  readonly settings: TraceSettings;
  readonly version: string;
  /** The guarded fetch; it must let the collector's address pass. */
  readonly fetch: typeof globalThis.fetch;
  readonly meters?: Meters | undefined;
}

/**
 * Exports the traces of trees that have ended, until it is stopped. Any number of processes may have one: each claims trees
 * for a minute, or longer where the collector may take longer. A tree is forgotten once the collector took all of it; after a
 * crash before that it is sent again, with spans of the same ids. Nothing waits for it: while the collector is away, trees lie
 * in the database, for a day at most.
 */
export function createTraceExporter({ db, log, settings, version, fetch, meters }: ExporterParts): Recurring {
  const resource = { attributes: { ...settings.resource, "service.version": version }, version };
  const claimMs = claimMsOf(settings.timeoutMs);
  let failures = 0;
  let notBefore = 0;

  async function exportSome(signal: AbortSignal): Promise<void> {
    if (performance.now() < notBefore) return;
    const dropped = await dropOldTraces(db);
    if (dropped > 0) {
      meters?.traces("dropped", dropped);
      log.warn({ dropped }, `traces were given up: the collector took nothing for ${mostHours} hours`);
    }
    for (;;) {
      const claimedAt = performance.now();
      const claimed = await claimTraces(db, treesAtOnce, claimMs, longestClaimMs);
      const done = await exportTrees(claimed, claimedAt + exportMs, signal);
      if (!done || claimed.length < treesAtOnce) return;
    }
  }

  /** @returns false where the collector wants to be left alone, or somebody else has some of them */
  async function exportTrees(claimed: readonly ClaimedTrace[], firstUntil: number, signal: AbortSignal) {
    let own = claimed;
    let until = firstUntil;
    const open = new Set(claimed.map(({ root_id }) => root_id));
    const waiting: Span[] = [];
    const whole: string[] = [];
    /** A tree that takes longer than a claim would else begin anew for ever, before all others. */
    const keep = async () => {
      const begun = performance.now();
      if (begun <= until) return true;
      const left = own.filter(({ root_id }) => open.has(root_id));
      const kept = await keepTraces(db, left, claimMs);
      if (kept !== null) own = kept;
      until = begun + exportMs;
      return kept !== null;
    };
    const flush = async () => {
      const spans = waiting.splice(0);
      for (let from = 0; from < spans.length; from += mostSpans) {
        if (!(await keep())) return false;
        if (!(await send(spans.slice(from, from + mostSpans), signal))) return false;
      }
      await forgetTraces(db, whole);
      for (const id of whole.splice(0)) open.delete(id);
      return true;
    };
    try {
      for (const trace of claimed) {
        for await (const spans of spansOf(trace)) {
          waiting.push(...spans);
          if (waiting.length < spansAtOnce) continue;
          if (!(await flush())) return false;
        }
        whole.push(trace.root_id);
      }
      return await flush();
    } finally {
      // Also where the process stops: others need not wait until the claim is over.
      const pause = Math.max(0, notBefore - performance.now());
      const left = own.filter(({ root_id }) => open.has(root_id));
      await releaseTraces(db, left, pause).catch(() => undefined);
    }
  }

  /** The spans of a tree, those of one execution at a time. */
  async function* spansOf({ root_id, trace_id, trace_state, parent_span_id, is_sampled }: ClaimedTrace) {
    if (!is_sampled) return;
    const trace = { traceId: trace_id, traceState: trace_state, callerSpanId: parent_span_id };
    for (let after = ""; ; ) {
      const executions = await readExecutions(db, root_id, after, executionsAtOnce);
      for (const execution of executions) yield await tell(trace, execution);
      const last = executions.at(-1);
      if (last === undefined || executions.length < executionsAtOnce) return;
      after = last.id;
    }
  }

  /** What cannot be told of one execution holds up no other. */
  async function tell(trace: TreeTrace, execution: TracedExecution): Promise<readonly Span[]> {
    try {
      return await executionSpans(db, trace, execution, settings.withContents);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ execution: execution.id, err: error }, "spans of an execution could not be made");
      return [];
    }
  }

  /** @returns whether the collector is done with them */
  async function send(spans: readonly Span[], signal: AbortSignal): Promise<boolean> {
    const sent = await sendSpans(fetch, settings, resource, spans, signal);
    const reason = "words" in sent ? sent.words.slice(0, 200) : "";
    if (sent.type === "later") {
      const wait = Math.min(firstWaitMs * 2 ** failures, longestWaitMs) * (0.75 + Math.random() / 2);
      failures = Math.min(failures + 1, 10);
      notBefore = performance.now() + Math.max(wait, sent.afterMs ?? 0);
      // Once for each time that it goes away.
      if (failures === 1) log.warn({ reason }, "the trace collector takes nothing: it is tried again");
      return false;
    }
    if (failures > 0) log.info("the trace collector takes spans again");
    failures = 0;
    const rejected = sent.type === "refused" ? spans.length : Math.min(sent.rejected, spans.length);
    meters?.spans("exported", spans.length - rejected);
    if (rejected > 0) {
      meters?.spans("rejected", rejected);
      log.warn({ reason, rejected }, "the trace collector refused spans");
    }
    return true;
  }

  return createRecurring(exportSome, settings.everyMs, (error) =>
    log.warn({ err: error }, "traces could not be exported"),
  );
}
