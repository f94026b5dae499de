import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { TraceSettings } from "../config.ts";
import type { EngineTracing } from "../engine/tracing.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { type TraceOf, type TraceParent, traceHeaders } from "../traceparent.ts";
import { isSampled } from "./sampling.ts";
import { spanIdOf, traceIdOf, wholeKey } from "./span-keys.ts";

/** What a process knows of the traces of what it runs. */
export interface Tracing extends EngineTracing {
  /** The same log; its lines about an execution (`execution`) also say its trace and its span. */
  traced(log: Logger): Logger;
}

/** A trace as it is known here. */
type Trace = Omit<TraceParent, "spanId">;

/** Trees that one process remembers. */
const mostTraces = 10_000;

/** @param settings what is kept */
export function createTracing(db: Kysely<Database>, settings: Pick<TraceSettings, "sampler">): Tracing {
  /** By the top of the tree; null: nobody traces it. */
  const traces = new BoundedMap<Trace | null>(mostTraces);
  /** The ids of traces by execution, for the log. */
  const ids = new BoundedMap<string>(mostTraces);

  const headersOf = (trace: Trace, executionId: string): TraceOf => {
    ids.set(executionId, trace.traceId);
    return (key) => traceHeaders({ ...trace, spanId: spanIdOf(executionId, key) });
  };

  async function read(rootId: string): Promise<Trace | null> {
    const row = await db
      .selectFrom("traces")
      .select(["trace_id", "trace_state", "is_sampled"])
      .where("root_id", "=", rootId)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { traceId: row.trace_id, state: row.trace_state, isSampled: row.is_sampled };
  }

  return {
    begin({ id, trace: caller }) {
      const traceId = caller?.traceId ?? traceIdOf(id);
      const state = caller?.state ?? null;
      const trace = { traceId, state, isSampled: isSampled(settings.sampler, caller ?? null, traceId) };
      traces.set(id, trace);
      const row = {
        ...{ root_id: id, trace_id: traceId, trace_state: state, is_sampled: trace.isSampled },
        parent_span_id: caller?.spanId ?? null,
      };
      return { rows: { write: traceRows, row }, traceOf: headersOf(trace, id) };
    },
    async find({ id, rootId }) {
      let trace = traces.get(rootId);
      if (trace === undefined) {
        // Where the database is away, what is done next finds out.
        trace = await read(rootId).catch(() => undefined);
        if (trace !== undefined) traces.set(rootId, trace);
      }
      return trace == null ? undefined : headersOf(trace, id);
    },
    traced(log) {
      const withIds = (line: object) => {
        const id = "execution" in line ? String(line.execution) : "";
        const traceId = ids.get(id);
        return traceId === undefined ? line : { ...line, trace_id: traceId, span_id: spanIdOf(id, wholeKey) };
      };
      return log.child({}, { formatters: { log: withIds } });
    },
  };
}

/** Written with the starts; an execution that is there already keeps its trace. */
function traceRows(rows: readonly JsonValue[]) {
  return sql`started_traces as (
      insert into traces (root_id, trace_id, parent_span_id, trace_state, is_sampled)
      select root_id, trace_id, parent_span_id, trace_state, is_sampled
        from json_to_recordset(${toJson(rows)}::json)
               as given (root_id text, trace_id text, parent_span_id text, trace_state text, is_sampled boolean)
      on conflict (root_id) do nothing
    )`;
}
