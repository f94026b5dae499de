import { readdirSync, readFileSync } from "node:fs";
import { capabilities, ownCapabilities } from "../../contract/console.ts";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";

/** The healthy answer of one endpoint. */
export interface GoldenAnswer {
  readonly endpoint: EndpointName;
  readonly status: number;
  readonly json: unknown;
}

const folder = new URL("../../contract/golden/", import.meta.url);

/** The first example of each endpoint, which has everything that the contract documents. */
const first = new Map<EndpointName, unknown>();
for (const file of readdirSync(folder).sort()) {
  const examples: { endpoint: EndpointName; body: unknown }[] = JSON.parse(
    readFileSync(new URL(file, folder), "utf8"),
  );
  for (const { endpoint, body } of examples) if (!first.has(endpoint)) first.set(endpoint, body);
}
// Of a service that has every extension, so that no page is left out.
const every = { extensions: [...new Set([...capabilities, ...ownCapabilities])] };
first.set("getCapabilities", { ...Object(first.get("getCapabilities")), ...every });

const routes = [...first].map(([endpoint, json]) => {
  const { method, path, status } = endpoints[endpoint];
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { endpoint, status, json, method, pattern, fixed: path.replaceAll(/\{\w+\}/g, "").length };
});

/**
 * What a healthy service with every extension says to a request, from the examples of `src/contract/golden`.
 * @param path below `/api/v1`
 * @returns undefined where no endpoint has this address, or its answer is no JSON
 */
export function goldenAnswer(method: string, path: string): GoldenAnswer | undefined {
  const [found] = routes
    .filter((route) => route.method === method && route.pattern.test(path))
    // `/runs/map` before `/runs/{id}`.
    .sort((a, b) => b.fixed - a.fixed);
  return found;
}
