import type { Config } from "../config.ts";
import { createMetricsApp } from "../http/metrics-app.ts";
import { ListenError, type Listening, listen } from "../http/server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { UsageError } from "./usage-error.ts";

/** Metrics of this process, open to be read. */
export interface ServedMetrics {
  readonly metrics: Metrics;
  readonly listening: Listening;
  readonly url: string;
}

/**
 * Opens the port of `--metrics`; what counts is read only then.
 * @returns null where nobody asked for it
 * @throws UsageError where the port cannot be had
 */
export async function serveMetrics(config: Config): Promise<ServedMetrics | null> {
  if (config.metrics === null) return null;
  const { host, port } = config.metrics;
  const { createMetrics } = await import("../metrics/metrics.ts");
  const metrics = createMetrics(config);
  const app = createMetricsApp({ ...config, host }, metrics.text);
  try {
    const listening = await listen(app, host, port);
    const shownHost = host.includes(":") ? `[${host}]` : host;
    return { metrics, listening, url: `http://${shownHost}:${listening.port}/metrics` };
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new UsageError(`--metrics: ${host} port ${port} cannot be had: ${error.message}`);
  }
}
