import { queryOptions } from "@tanstack/react-query";
import { getRun } from "../../../contract/run.ts";
import { send } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { open } from "../../api/exchange.ts";
import { buildRequest, type PlainRequest } from "../../api/request.ts";
import type { Api } from "../../lib/api/api.ts";

/** An answer as it came: nothing is read, checked or left out. */
export interface RawAnswer {
  readonly body: Blob;
  readonly requestId: string | null;
}

const patience = 120_000;
const inputOf = (api: Api, runId: string) => ({ query: { run_id: runId, ...ownerOf(api) } });

/** The request that reads a run (§4.4), without a credential. */
export const requestOfRun = (api: Api, runId: string): PlainRequest =>
  buildRequest({ base: api.base, credential: null }, getRun, inputOf(api, runId));

/** The service's own bytes for one run (§4.4), log and all; read once, and let go when nobody looks. */
export const rawRunQuery = (api: Api, runId: string) =>
  queryOptions({
    // Not below the key of the run: the run's log is let go with that.
    queryKey: [api.id, "rawRun", runId],
    queryFn: ({ signal }): Promise<RawAnswer> =>
      send(api, getRun, { signal }, async (credential) => {
        const request = buildRequest({ base: api.base, credential }, getRun, inputOf(api, runId));
        const options = { fetch: api.fetch, now: api.clock.now, signal, timeoutMs: patience };
        const { response, envelope, stop, failed } = await open(getRun.name, request, options);
        try {
          return { body: await response.blob(), requestId: envelope.requestId };
        } catch (error) {
          throw failed(error);
        } finally {
          stop();
        }
      }),
    gcTime: 0,
    staleTime: 0,
    structuralSharing: false,
  });
