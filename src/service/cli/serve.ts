import { setTimeout as delay } from "node:timers/promises";
import { allHandlers } from "../areas/handlers.ts";
import type { Config } from "../config.ts";
import { randomIds } from "../context.ts";
import type { Signer } from "../credentials/signer.ts";
import { type App, createApp, type Phase } from "../http/app.ts";
import type { Listening } from "../http/server.ts";
import { openService, type Service } from "../service.ts";
import type { Store } from "../store/store.ts";
import type { OpenedLog } from "./log.ts";
import { type ServedMetrics, serveMetrics } from "./serve-metrics.ts";
import { stopOnSignals } from "./signals.ts";
import { offerSignIn, printMadeKeys, type Terminal } from "./terminal.ts";
import { whileStarting } from "./while-starting.ts";

/** A start that has its port. */
export interface Boot {
  readonly config: Config;
  readonly signer: Signer;
  readonly instance: string;
  readonly listening: Listening;
  /** Hands the app to the open port. */
  provide(app: App): void;
  /** The database, on its way; it is closed here. */
  readonly opening: Promise<Store>;
}

/**
 * From the open port to the running service, and to its end.
 * @returns the exit code, after the process was told to stop
 */
export async function serve(boot: Boot, opened: OpenedLog, terminal: Terminal): Promise<number> {
  const { config, signer, listening, opening } = boot;
  const { log } = opened;
  const parts = { config, log, ids: randomIds };
  let phase: Phase = "starting";
  let service: Service | null = null;
  let served: ServedMetrics | null = null;
  const publicUrl = config.publicUrl ?? `http://localhost:${listening.port}`;
  const stopping = stopOnSignals(log);
  try {
    served = await serveMetrics(config);
    const metrics = served?.metrics;
    boot.provide(
      createApp({
        ...parts,
        meters: metrics?.meters,
        handlers: allHandlers,
        instance: boot.instance,
        phase: () => phase,
        context: () => service?.context ?? null,
        databaseAnswers: async () => (await service?.databaseAnswers()) ?? false,
        filesAnswer: async () => (await service?.filesAnswer()) ?? true,
        paused: () => (service?.paused() ?? null) !== null,
        // Set by `npm run dev`.
        checkAnswers: config.environment.WHEELHOUSE_CHECK_ANSWERS === "1",
      }),
    );
    const store = await opening;
    service = await whileStarting(config, () => openService({ ...parts, store, signer, publicUrl, metrics }));
    await whileStarting(config, service.work);
    phase = "ready";
    await greet(service, opened.file, served?.url, terminal);
    log.info({ version: config.version, url: publicUrl, data: config.dataDirectory }, "ready");
    await stopping.asked;
    log.info("stopping");
    phase = "draining";
    listening.drain();
    await Promise.all([service.stopWork(stopping.graceMs), delay(config.drainSeconds * 1_000)]);
    return 0;
  } finally {
    await listening.close(stopping.requestsMs());
    await service?.close();
    await served?.listening.close(1_000);
    await opening.then((store) => store.close()).catch(() => {});
  }
}

/** What the person in front of the terminal needs now. */
async function greet(
  service: Service,
  logFile: string | null,
  metricsUrl: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { config, store, publicUrl } = service.context;
  const { print } = terminal;
  print(`Wheelhouse ${config.version} is running at ${publicUrl}`);
  await offerSignIn(store, service.firstPerson, publicUrl, terminal);
  printMadeKeys(service.madeKeys, terminal);
  const pause = service.paused();
  if (pause !== null) print(`PAUSED: ${pause.reason}. It runs nothing until you say: wheelhouse resume`);
  if (metricsUrl !== undefined) print(`Metrics: ${metricsUrl}`);
  print(`Data: ${config.databaseUrl === null ? config.dataDirectory : "the database of DATABASE_URL"}`);
  if (logFile !== null) print(`Log: ${logFile}`);
}
