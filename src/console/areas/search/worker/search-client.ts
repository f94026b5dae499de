import { getRun } from "../../../../contract/run.ts";
import { send } from "../../../api/client.ts";
import { ownerOf } from "../../../api/connection.ts";
import { buildRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { callWorker, type WorkerEnd } from "../../../lib/workers/calls.ts";
import { lossOfRunWorker } from "../../runs/index.ts";
import type { Field, FindOrder, HeldRun, Hit, LookedThrough } from "./hit.ts";
import type { searchMethods } from "./search-service.ts";

/** Reads and looks through runs and texts off the main thread. */
export interface Searcher {
  /**
   * Reads a run and keeps it in the worker under its key. Waits for its turn as a poll does (C-36).
   * @throws ConsoleError of every kind; the signal's reason when aborted
   */
  readRun(key: string, runId: string, signal: AbortSignal): Promise<HeldRun>;
  /** Keeps texts in the worker that were read elsewhere. */
  hold(key: string, fields: readonly Field[]): void;
  /**
   * Looks through what is held and what is given. `onHits` is told of hits in order, as they are found.
   * @returns null where nothing is held under the key (any more)
   * @throws SearchTooSlow where a pattern never came to an end: everything that was held is gone then
   */
  find(
    order: FindOrder,
    onHits: (hits: readonly Hit[]) => void,
    signal: AbortSignal,
  ): Promise<LookedThrough | null>;
  /** Rises when everything that was held is gone. */
  readonly epoch: number;
  close(): void;
}

const readTimeoutMs = 120_000;
/** A search tells every few ms that it is alive; one that is silent for this long is caught in one text. */
const silenceTimeoutMs = 4_000;
/** Letters handed over in one message, so that none is felt. */
const slice = 200_000;

/**
 * @param spawn starts the worker; called at the first use, and again after a worker died or was ended
 * @param silenceMs after which a search is ended that is not heard of
 */
export function createSearcher(api: Api, spawn: () => WorkerEnd, silenceMs = silenceTimeoutMs): Searcher {
  let epoch = 0;
  const worker = callWorker<ReturnType<typeof searchMethods>>(spawn, {
    clock: api.clock,
    onLoss() {
      epoch += 1;
    },
    errorOf: lossOfRunWorker,
  });

  return {
    get epoch() {
      return epoch;
    },
    async readRun(key, runId, signal) {
      const answer = await send(api, getRun, { signal, poll: true }, (credential) => {
        const input = { query: { run_id: runId, ...ownerOf(api) } };
        const request = buildRequest({ base: api.base, credential }, getRun, input, { poll: true });
        const asked = { key, request, timeoutMs: readTimeoutMs };
        return worker.call("read", asked, { signal, canRepeat: true });
      });
      api.serverClock.observe(answer.envelope.serverDate, answer.envelope.receivedAt);
      return answer.run;
    },
    hold(key, fields) {
      let from = 0;
      do {
        let size = 0;
        let to = from;
        for (; to < fields.length && (to === from || size < slice); to += 1)
          size += fields[to]?.text.length ?? 0;
        const part = { key, fields: fields.slice(from, to), isFirst: from === 0 };
        // What was lost is not found, and read again then.
        worker.call("hold", part).catch(() => {});
        from = to;
      } while (from < fields.length);
    },
    async find(order, onHits, signal) {
      if (order.query.regex) new RegExp(order.query.text);
      const onTold = (hits: readonly Hit[]) => {
        if (hits.length > 0) onHits(hits);
      };
      return await worker.call("find", order, { signal, onTold, silenceMs });
    },
    close: worker.close,
  };
}
