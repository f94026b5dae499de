import { type Capability, capabilities, fieldCapabilities } from "../../contract/console.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Handlers } from "./handler.ts";

/**
 * Own `GET /capabilities` ("Three tiers of endpoint"). An extension is there when an endpoint of the table carries it,
 * as every endpoint of the table has a function; those that are fields of other endpoints are listed by hand.
 */
export const capabilityHandlers: Pick<Handlers<typeof endpoints>, "getCapabilities"> = {
  getCapabilities: async ({ config }) => ({
    type: "body",
    body: { service: "wheelhouse", version: config.version, extensions: [...ourExtensions()] },
  }),
};

function ourExtensions(): readonly Capability[] {
  const carried = new Set<string | null>(Object.values(endpoints).map(({ capability }) => capability));
  return capabilities.filter(
    (name) => carried.has(name) || fieldCapabilities.some((field) => field === name),
  );
}
