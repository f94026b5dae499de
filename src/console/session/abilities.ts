import { getCapabilities } from "../../contract/console.ts";
import type { Caller } from "../api/api.ts";
import { call } from "../api/client.ts";
import { isMissingEndpoint } from "../api/errors.ts";

/** What the service has beyond the core; null where it has no such list. */
export async function readCapabilities(
  caller: Caller,
  signal?: AbortSignal,
): Promise<readonly string[] | null> {
  try {
    const { data } = await call(caller, getCapabilities, {}, { signal });
    return data.extensions ?? [];
  } catch (error) {
    if (isMissingEndpoint(error, getCapabilities)) return null;
    throw error;
  }
}
