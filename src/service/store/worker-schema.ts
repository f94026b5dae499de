import { runMigrations } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import { workerLogger } from "./worker-logger.ts";

/** Brings Graphile Worker's own schema up to date: functions of ours name functions of theirs, so it comes first. */
export async function makeWorkerSchema(connection: pg.ClientConfig, log: Logger): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  await runMigrations({ pgPool: pool, logger: workerLogger(log) }).finally(() => pool.end());
}
