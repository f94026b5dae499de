import type { Carry, Connection } from "./connection.ts";
import { answering, copying, type PlainAnswer } from "./plain-answer.ts";

/** The same connection, as if the service had just given this answer: nothing is sent, and nothing waits. */
export function replayed(api: Connection, answer: PlainAnswer): Connection {
  return {
    ...api,
    gate: { ready: async () => null, refused: (error) => Promise.reject(error) },
    traffic: { enter: async () => () => {}, sent: () => {}, hold: api.traffic.hold },
    fetch: answering(answer),
    carry: (work) => work(answer),
  };
}

/**
 * The same connection, of which the answer to one request is copied.
 * @param begin waits until it may be sent
 * @param failed called after each try that was not answered well, before it is tried again
 * @returns `copy`: null where there is none that can be told
 */
export function recorded(
  api: Connection,
  begin: () => Promise<void>,
  failed: () => void,
): { readonly via: Connection; readonly copy: () => Promise<PlainAnswer | null> } {
  let copy: Promise<PlainAnswer | null> | PlainAnswer | null = null;
  const carry: Carry = async (work) => {
    copy = null;
    try {
      const done = await work(null);
      copy = done.copy;
      return done;
    } finally {
      if (!copy) failed();
    }
  };
  const fetcher: typeof fetch = async (url, init) => {
    const work = async () => {
      const copier = copying(api.fetch);
      const response = await copier.fetch(url, init);
      return { response, copy: response.status < 400 ? copier.copy() : null };
    };
    return (await carry(work)).response;
  };
  return { via: { ...api, begin, fetch: fetcher, carry }, copy: async () => copy };
}
