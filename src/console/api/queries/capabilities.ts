import { getCapabilities } from "../../../contract/console.ts";
import type { Api } from "../api.ts";
import { readOptions } from "../read.ts";

/**
 * Name, version and extensions of the service, for a page about the connection. What may be offered is asked of
 * `api.capabilities.can`, never of this.
 */
export const capabilityQueries = {
  service: (api: Api) => readOptions(api, getCapabilities, {}, { staleTime: 60_000 }),
};
