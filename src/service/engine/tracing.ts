import type { TraceOf } from "../traceparent.ts";
import type { Execution, NewExecution } from "./kind.ts";
import type { RowsOfStart } from "./start.ts";

/** What the engine asks of whoever traces, where somebody does. None of it throws, and nothing waits for a collector. */
export interface EngineTracing {
  /** Of one that is about to be started at the top of a tree: what is written with it, and how it is handed on. */
  begin(execution: NewExecution): { readonly rows: RowsOfStart; readonly traceOf: TraceOf };
  /** Of one that was claimed; undefined: nobody traces it. */
  find(execution: Pick<Execution, "id" | "rootId">): Promise<TraceOf | undefined>;
}
