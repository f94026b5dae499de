import type { Config } from "../config.ts";
import { randomIds } from "../context.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { createSigner } from "../credentials/signer.ts";
import { openService } from "../service.ts";
import { openStore } from "../store/store.ts";
import { collectEarly } from "./collect-early.ts";
import type { OpenedLog } from "./log.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { stopOnSignals } from "./signals.ts";
import { storeOptions } from "./start.ts";
import { printMadeKeys, type Terminal } from "./terminal.ts";
import { whileStarting } from "./while-starting.ts";

/**
 * `wheelhouse worker`: runs what others start, without HTTP.
 * @returns the exit code, after the process was told to stop
 */
export async function worker(config: Config, { log }: OpenedLog, terminal: Terminal): Promise<number> {
  collectEarly();
  const { print } = terminal;
  const signer = createSigner(readServiceSecret(config));
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const stopping = stopOnSignals(log);
  const served = await serveMetrics(config);
  const store = await openStore({ ...storeOptions(config), log });
  try {
    const { metrics } = served ?? {};
    const parts = { config, log, store, signer, publicUrl, ids: randomIds, metrics };
    const service = await whileStarting(config, () => openService(parts));
    await whileStarting(config, service.work);
    print(
      `Wheelhouse ${config.version}: a worker runs up to ${config.concurrency} executions at the same time`,
    );
    printMadeKeys(service.madeKeys, terminal);
    const pause = service.paused();
    if (pause !== null) print(`PAUSED: ${pause.reason}. It runs nothing until you say: wheelhouse resume`);
    if (served !== null) print(`Metrics: ${served.url}`);
    log.info({ version: config.version, data: config.dataDirectory }, "ready");
    await stopping.asked;
    log.info("stopping");
    await service.stopWork(stopping.graceMs);
    await service.close();
  } finally {
    await store.close();
    await served?.listening.close(1_000);
  }
  return 0;
}
