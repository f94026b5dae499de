import { type Capability, capabilities } from "../../contract/console.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Handlers } from "./handler.ts";

/** Extensions that are parts of other endpoints, by the endpoint that has them. */
const partsOf: Readonly<Record<string, readonly Capability[]>> = {
  getRun: ["run_files"],
  startPipeline: ["idempotency_keys"],
  updateArtifactAccess: ["link_password"],
  listMcpServers: ["mcp_connections"],
};

/**
 * Own `GET /capabilities` ("Three tiers of endpoint"): an extension is there when an endpoint that carries it has a
 * function.
 * @param names of the endpoints that have one
 */
export function capabilityHandlers(
  names: () => readonly string[],
): Pick<Handlers<typeof endpoints>, "getCapabilities"> {
  return {
    getCapabilities: async ({ config }) => ({
      type: "body",
      body: { service: "wheelhouse", version: config.version, extensions: extensionsOf(names()) },
    }),
  };
}

function extensionsOf(names: readonly string[]): Capability[] {
  const there = Object.values(endpoints).filter(({ name }) => names.includes(name));
  const carried = new Set<string | null>(there.map(({ capability }) => capability));
  for (const { name } of there) for (const part of partsOf[name] ?? []) carried.add(part);
  return capabilities.filter((name) => carried.has(name));
}
