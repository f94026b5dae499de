import { capabilities } from "../../contract/console.ts";
import { Capabilities } from "../api/capabilities.ts";
import { ServerClock, systemClock } from "../api/clock.ts";
import type { Credential, PlainRequest } from "../api/request.ts";
import { Store } from "../api/store.ts";
import type { Hold } from "../api/traffic.ts";
import type { Api } from "../lib/api.tsx";
import * as reads from "./reads.ts";
import { runs } from "./runs-reads.ts";

const pages = { ...reads, runs };
const isPage = (name: string): name is keyof typeof pages => name in pages;

const base = "http://service.invalid/api/v1";
const credential: Credential = { kind: "personal", secret: "none", userId: "{user}", teamId: null };

/**
 * Where a page's first reads go, for somebody without a team on a service that has everything: asked of the reads
 * themselves when the console is built (`scripts/build/console-routes.ts`), so that nothing says it twice. The page's first
 * script asks for them (`preload-reads.js`). Those that a search in the address says are not among them.
 * @param page a name of `reads.ts`, or `runs`; null or another one: a page without reads
 * @param params names of the route's parameters
 * @throws Error where a read asks for nothing
 * @returns below `/api/v1`; `{name}` stands for a parameter, `{user}` for the id of who is signed in
 */
export async function readAddresses(
  page: string | null,
  params: readonly string[],
): Promise<readonly string[]> {
  if (page === null || !isPage(page)) return [];
  const asked: string[] = [];
  let requests = 0;
  const note = ({ url, method }: Pick<PlainRequest, "url" | "method">): never => {
    requests += 1;
    if (method === "GET") asked.push(url.slice(base.length));
    throw new Error("Only the address is of interest");
  };
  const begun: Promise<unknown>[] = [];
  const made = {
    ...{ id: "nobody", base, clock: systemClock, serverClock: new ServerClock(systemClock) },
    who: credential,
    gate: { ready: async () => credential, refused: (error) => Promise.reject(error) },
    traffic: { enter: async () => () => {}, sent: () => {}, hold: new Store<Hold | null>(null) },
    capabilities: new Capabilities({ named: [...capabilities], tried: {} }),
    fetch: async (address, init) => note({ url: String(address), method: init?.method ?? "GET" }),
    keep: (make) => make(api),
    workers: {
      start: () => ({
        // A run's reader is asked for the request that it is to send.
        postMessage: (message) =>
          "input" in message && note((message.input as { request: PlainRequest }).request),
        listen() {},
        terminate() {},
      }),
      startPlain: () => {
        throw new Error("There is none");
      },
    },
  } satisfies Partial<Api>;
  // Not all of a connection, which only a browser has: the cast hides what is missing, and it cannot hide there for long, as a
  // read that uses more of it fails the build.
  const api = made as unknown as Api;
  const begin = (query: { queryKey: unknown; queryFn?: unknown }) => {
    const { queryKey, queryFn } = query;
    if (typeof queryFn !== "function") return;
    const client = { getQueryData: () => undefined, getQueriesData: () => [] };
    begun.push(queryFn({ queryKey, client, signal: new AbortController().signal, pageParam: undefined }));
  };
  const reader: reads.Reader = { api, teams: null, start: begin, startPages: begin };
  const to = {
    params: Object.fromEntries(params.map((name) => [name, `{${name}}`])),
    location: { search: {} },
  };
  // Each takes the parameters of its own route, which are those that were named.
  pages[page](reader, to as never);
  await Promise.allSettled(begun);
  if (requests < begun.length) throw new Error(`A read of ${page} came to no request`);
  return asked.map((address) => address.replaceAll(/%7B(\w+)%7D/g, "{$1}"));
}
