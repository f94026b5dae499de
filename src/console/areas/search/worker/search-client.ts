import { getRun } from "../../../../contract/run.ts";
import { send } from "../../../api/client.ts";
import { ownerOf } from "../../../api/connection.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { buildRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { type WorkerEnd, workerSeat } from "../../../lib/workers/worker-seat.ts";
import { SearchTooSlow } from "../../runs/index.ts";

import type {
  Field,
  FindOrder,
  FromSearch,
  HeldRun,
  Hit,
  LookedThrough,
  ToSearch,
} from "./search-messages.ts";

/** A worker, or in tests its host itself. */
export type SearchPort = WorkerEnd<ToSearch, FromSearch>;

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

interface Pending {
  readonly take: (message: FromSearch) => void;
  /** Asks a new worker the same, where that makes sense. */
  readonly again: (() => void) | null;
  readonly fail: (error: unknown) => void;
}

const readTimeoutMs = 120_000;
/** A search tells every few ms that it is alive; one that is silent for this long is caught in one text. */
const silenceTimeoutMs = 4_000;
/** Letters handed over in one message, so that none is felt. */
const slice = 200_000;

/**
 * @param spawn starts the worker; called at the first use, and again after a worker died or was ended
 * @param silence ms after which a search is ended that is not heard of
 */
export function createSearcher(api: Api, spawn: () => SearchPort, silence = silenceTimeoutMs): Searcher {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let epoch = 0;

  const seat = workerSeat<ToSearch, FromSearch>(
    spawn,
    (message) => pending.get(message.id)?.take(message),
    () => {
      // Out of memory, most likely. A new worker reads everything anew.
      epoch += 1;
      for (const one of [...pending.values()]) one.fail(new ConsoleError({ kind: "network" }, getRun.name));
    },
  );

  function drop(): void {
    seat.end();
    epoch += 1;
  }

  /** Ends a worker that is caught in a search. What it was reading is asked of a new one; other searches find nothing held. */
  function endSearch(id: number): void {
    drop();
    for (const [other, one] of [...pending]) {
      if (!pending.has(other)) continue;
      if (other !== id && one.again) one.again();
      else one.fail(new SearchTooSlow("The search took too long"));
    }
  }

  function ask<T>(
    message: (id: number) => ToSearch,
    signal: AbortSignal,
    take: (answer: FromSearch, done: (value: T) => void) => void,
    canRepeat: boolean,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const settle = () => {
        pending.delete(id);
        signal.removeEventListener("abort", onAbort);
      };
      const fail = (error: unknown) => {
        settle();
        reject(error);
      };
      const onAbort = () => {
        seat.tell({ type: "abort", id });
        fail(signal.reason);
      };
      pending.set(id, {
        again: canRepeat ? () => seat.post(message(id)) : null,
        fail,
        take: (answer) => {
          if (answer.type === "failed") {
            const { failure } = answer;
            fail(failure ? new ConsoleError(failure, getRun.name) : new Error(answer.message));
            return;
          }
          take(answer, (value) => {
            settle();
            resolve(value);
          });
        },
      });
      signal.addEventListener("abort", onAbort, { once: true });
      seat.post(message(id));
    });
  }

  return {
    get epoch() {
      return epoch;
    },
    async readRun(key, runId, signal) {
      const answer = await send(api, getRun, { signal, poll: true }, (credential) => {
        const input = { query: { run_id: runId, ...ownerOf(api) } };
        const request = buildRequest({ base: api.base, credential }, getRun, input, { poll: true });
        return ask<Extract<FromSearch, { type: "read" }>>(
          (id) => ({ type: "read", id, key, request, timeoutMs: readTimeoutMs }),
          signal,
          (message, done) => message.type === "read" && done(message),
          true,
        );
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
        seat.post({ type: "hold", key, fields: fields.slice(from, to), isFirst: from === 0 });
        from = to;
      } while (from < fields.length);
    },
    async find(order, onHits, signal) {
      if (order.query.regex) new RegExp(order.query.text);
      let searching = 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => endSearch(searching), silence);
      };
      const asked = ask<LookedThrough | null>(
        (id) => {
          searching = id;
          return { type: "find", id, order };
        },
        signal,
        (message, done) => {
          if (message.type === "gone") done(null);
          else if (message.type === "found") done(message.looked);
          else if (message.type === "hits") {
            wait();
            if (message.hits.length > 0) onHits(message.hits);
          }
        },
        false,
      );
      wait();
      return await asked.finally(() => clearTimeout(timer));
    },
    close() {
      drop();
      const ended = new DOMException("The search was closed", "AbortError");
      for (const one of [...pending.values()]) one.fail(ended);
    },
  };
}
