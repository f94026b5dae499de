import type { Config } from "../config.ts";
import type { App } from "./app.ts";
import { createRequestGuard } from "./request-guard.ts";

const plainText = { "content-type": "text/plain; charset=utf-8" };
/** Of Prometheus' text format. */
const exposition = {
  "content-type": "text/plain; version=0.0.4; charset=utf-8",
  "cache-control": "no-store",
};

/**
 * What the port of `--metrics` answers: `GET /metrics` and nothing else, for whoever reaches that port. A page that a browser
 * was led to does not: another host than the service's own is refused.
 * @param text the metrics as they are now
 */
export function createMetricsApp(
  config: Pick<Config, "host" | "publicUrl" | "allowedHosts">,
  text: () => Promise<string>,
): App {
  const guard = createRequestGuard(config);
  return {
    answer: () => false,
    async fetch(request) {
      if (!guard.isOwnHost(request.headers.get("host")))
        return new Response("This is not one of the service's hosts; see WHEELHOUSE_ALLOWED_HOSTS.\n", {
          ...{ status: 421, headers: plainText },
        });
      if (new URL(request.url).pathname !== "/metrics")
        return new Response("Metrics are at /metrics.\n", { status: 404, headers: plainText });
      if (request.method !== "GET" && request.method !== "HEAD")
        return new Response("", { status: 405, headers: { ...plainText, allow: "GET, HEAD" } });
      return new Response(request.method === "HEAD" ? null : await text(), { headers: exposition });
    },
  };
}
