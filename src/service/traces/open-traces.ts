import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { EngineTracing } from "../engine/tracing.ts";
import type { Meters } from "../meters.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import type { Recurring } from "../recurring.ts";
import type { Store } from "../store/store.ts";

/** What one process traces. */
export interface OpenedTraces {
  /** Lines about what is traced say its trace. */
  readonly log: Logger;
  /** For the engine; undefined: nobody traces. */
  readonly tracing: EngineTracing | undefined;
  /** Null: nothing is exported. */
  readonly exporter: Recurring | null;
  close(): Promise<void>;
}

interface TracesParts {
  readonly config: Pick<Config, "traces" | "version">;
  readonly store: Pick<Store, "db">;
  readonly log: Logger;
  readonly metrics?: { readonly meters: Meters } | undefined;
}

/** Where nobody asks for traces nothing of it is loaded, and nothing is asked of the database. */
export async function openTraces({ config, store, log, metrics }: TracesParts): Promise<OpenedTraces> {
  const { traces: settings, version } = config;
  if (settings === null) return { log, tracing: undefined, exporter: null, close: async () => {} };
  const { createTracing } = await import("./tracing.ts");
  const { createTraceExporter } = await import("./exporter.ts");
  const { collectorHost } = await import("./send.ts");
  const tracing = createTracing(store.db, settings);
  // The operator named it: it may be on a private address.
  const outgoing = createOutgoing({ allowPrivate: [collectorHost(settings)] });
  const exporter = createTraceExporter({
    ...{ db: store.db, log, settings, version, fetch: outgoing.fetch, meters: metrics?.meters },
  });
  return { log: tracing.traced(log), tracing, exporter, close: () => outgoing.close() };
}
