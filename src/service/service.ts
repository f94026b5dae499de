import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Clock, Context, Ids } from "./context.ts";
import type { Signer } from "./credentials/signer.ts";
import { createEngine } from "./engine/engine.ts";
import type { Kind } from "./engine/kind.ts";
import { directoryFileStore } from "./files/file-store.ts";
import { createModels } from "./models/models.ts";
import { readModelSettings } from "./models/settings.ts";
import { createCodeRunner } from "./nodes/code-runner.ts";
import { createOutgoing } from "./outgoing/outgoing.ts";
import { definitionOf, findFlowFor } from "./pipelines/find-flow.ts";
import { pipeline, pipelineKind } from "./pipelines/kind.ts";
import { writeRunInput } from "./pipelines/run-input.ts";
import { openStore, type Store } from "./store/store.ts";

/** Everything behind the HTTP room, put together and running. */
export interface Service {
  readonly context: Context;
  /** Lines for the person who started it, such as keys that were made just now. */
  readonly notices: readonly string[];
  /** Begins to claim executions. */
  work(): Promise<void>;
  /** Claims nothing more; what still runs after `graceMs` goes on elsewhere or at the next start. */
  stopWork(graceMs: number): Promise<void>;
  databaseAnswers(): Promise<boolean>;
  /** After `stopWork`: closes what is open. The last one out stops the embedded database. */
  close(): Promise<void>;
}

export interface ServiceParts {
  readonly config: Config;
  readonly log: Logger;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** A store that is open already; whoever opened it closes it. */
  readonly store?: Store;
}

/**
 * Opens the database, loads the workspace and builds the one context that everything gets.
 * @throws StoreError, WorkspaceError and the like with one line that says what to do
 */
export async function openService(parts: ServiceParts): Promise<Service> {
  const { config, log, signer, clock, ids, publicUrl } = parts;
  const settings = readModelSettings(config.environment);
  const store =
    parts.store ??
    (await openStore({
      databaseUrl: config.databaseUrl ?? undefined,
      dataDirectory: config.dataDirectory,
      log,
    }));
  const outgoing = createOutgoing({ allowPrivate: [] });
  const code = createCodeRunner(2);
  const files = directoryFileStore(config.filesDirectory);
  const kinds: Record<string, Kind> = {};
  const engine = createEngine({
    store,
    clock,
    log,
    concurrency: config.concurrency,
    kinds,
    owner: `${hostname()}:${process.pid}:${randomUUID()}`,
  });
  const models = createModels(settings, { fetch: outgoing.fetch });
  const context: Context = { config, clock, ids, log, store, engine, files, models, signer, publicUrl };
  kinds[pipeline] = pipelineKind({
    clock,
    ids,
    outgoing,
    files,
    code,
    async findFlow(id, owner) {
      const row = await findFlowFor(store.db, id, owner);
      if (row === null) return null;
      const flow = { name: row.name, definition: definitionOf(row) };
      return { id: row.id, name: row.name, startInput: (values) => writeRunInput(flow, values, "") };
    },
  });
  return {
    context,
    notices: [],
    work: () => engine.work(),
    stopWork: (graceMs) => engine.stop({ graceMs }),
    databaseAnswers: () =>
      store.pool.query("select 1").then(
        () => true,
        () => false,
      ),
    async close() {
      await code.close();
      await outgoing.close();
      if (!parts.store) await store.close();
    },
  };
}
