import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRun } from "../../../../contract/run.ts";
import { send } from "../../../api/client.ts";
import { ownerOf } from "../../../api/connection.ts";
import { open } from "../../../api/exchange.ts";
import { buildRequest, type PlainRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { useApi } from "../../../lib/api.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { formatSize, saveBlob } from "../../../lib/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Id } from "../../../ui/Id.tsx";

/** What of a body is drawn; the rest is for the download. */
const drawn = 100_000;

/** The answer of the service for this run, as it came. */
export function RawAnswer({ runId, onClose }: { runId: string; onClose: () => void }) {
  const api = useApi();
  const raw = useQuery(rawRunQuery(api, runId));
  const body = raw.data?.body;
  const text = raw.data?.beginning ?? null;
  const rest = body ? body.size - drawn : 0;
  return (
    <Dialog
      onClose={onClose}
      title="Raw response"
      description="The service’s response for this run, unchanged."
      footerNote={
        raw.data?.requestId && (
          <span className="flex items-center gap-1">
            request <Id id={raw.data.requestId} what="request ID" cut={[8, 4]} />
          </span>
        )
      }
      footer={
        <>
          <Button onClick={() => void raw.refetch()} loading={raw.isFetching}>
            Reload
          </Button>
          {body && <Button onClick={() => saveBlob(body, `${runId}.json`)}>Download</Button>}
        </>
      }
    >
      {raw.isError ? (
        <Failure error={raw.error} what="The response" />
      ) : text === null ? (
        <p className="text-muted">Loading…</p>
      ) : (
        <>
          <section
            aria-label="Body"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard, so it has to take the focus
            tabIndex={0}
            className="max-h-[50dvh] overflow-auto rounded-control bg-surface-sunken p-3"
          >
            <pre className="whitespace-pre-wrap break-all text-mono-json">{text}</pre>
          </section>
          {rest > 0 && (
            <p className="pt-2 text-muted text-secondary">
              {formatSize(rest)} more of {formatSize(body?.size ?? 0)}; download to see everything.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

/** An answer as it came: nothing is read, checked or left out. */
interface RawBody {
  readonly body: Blob;
  /** As much of it as is drawn. */
  readonly beginning: string;
  readonly requestId: string | null;
}

const timeoutMs = 120_000;
const inputOf = (api: Api, runId: string) => ({ query: { run_id: runId, ...ownerOf(api) } });

/** The request that reads a run (§4.4), without a credential. */
export const requestOfRun = (api: Api, runId: string): PlainRequest =>
  buildRequest({ base: api.base, credential: null }, getRun, inputOf(api, runId));

/** The service's own bytes for one run (§4.4), log and all; read once, and dropped when nobody looks. */
const rawRunQuery = (api: Api, runId: string) =>
  queryOptions({
    // Not below the key of the run: the run's log is dropped with that.
    queryKey: [api.id, "rawRun", runId],
    queryFn: ({ signal }): Promise<RawBody> =>
      send(api, getRun, { signal }, async (credential) => {
        const request = buildRequest({ base: api.base, credential }, getRun, inputOf(api, runId));
        const options = { fetch: api.fetch, now: api.clock.now, signal, timeoutMs };
        const { response, envelope, stop, failed } = await open(getRun.name, request, options);
        try {
          const body = await response.blob();
          const beginning = await body.slice(0, drawn).text();
          return { body, beginning, requestId: envelope.requestId };
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
