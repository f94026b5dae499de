import type { QueryClient } from "@tanstack/react-query";
import type { Endpoint } from "../../contract/define.ts";
import type { Connection } from "./connection.ts";
import { keyOf } from "./read.ts";

/** Reads again what a write may have changed: all that is kept of these endpoints. */
export async function readAgain(
  api: Connection,
  client: QueryClient,
  endpoints: readonly Endpoint[],
): Promise<void> {
  api.polling.acted();
  await Promise.all(
    endpoints.map((endpoint) => client.invalidateQueries({ queryKey: keyOf(api, endpoint) })),
  );
}
