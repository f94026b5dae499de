import type { Config } from "../config.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { collectorHost, sendSpans } from "../traces/send.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Whether the trace collector takes what is sent, by a request without any span; nothing where none is named. */
export async function examineTraceCollector({
  traces,
  version,
}: Pick<Config, "traces" | "version">): Promise<readonly Finding[]> {
  if (traces === null) return [];
  const { host } = new URL(traces.url);
  const outgoing = createOutgoing({ allowPrivate: [collectorHost(traces)] });
  try {
    const resource = { attributes: traces.resource, version };
    const signal = new AbortController().signal;
    const sent = await sendSpans(outgoing.fetch, traces, resource, [], signal);
    if (sent.type === "taken")
      return [ok("traces", `The trace collector at ${host} takes ${traces.protocol}`)];
    const action =
      "Look at OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_PROTOCOL, and whether it runs; " +
      "what it misses is sent later, for a day";
    return [problem("traces", `The trace collector at ${host} takes nothing: ${sent.words}`, action)];
  } finally {
    await outgoing.close();
  }
}
