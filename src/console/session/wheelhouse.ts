import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import { Capabilities } from "../api/capabilities.ts";
import { type Clock, systemClock } from "../api/clock.ts";
import { PollEnvironment } from "../api/poll-environment.ts";
import type { RunsAct } from "../api/queries/many-runs.ts";
import { createQueryClient } from "../api/query-client.ts";
import { ServerClock } from "../api/server-clock.ts";
import { Store } from "../api/store.ts";
import { Traffic } from "../api/traffic.ts";
import { Conversations } from "../history/conversations.ts";
import { clearAll, Drafts, type TabChannel } from "../history/drafts.ts";
import { History } from "../history/history.ts";
import { browserStore, type KeyValue } from "../history/key-value.ts";
import type { BodyPort, BodyReader } from "../workers/bodies/body-client.ts";
import type { ComparePort } from "../workers/compare/compare-client.ts";
import type { FilesPort } from "../workers/files/files-client.ts";
import type { MarkdownPort } from "../workers/markdown-client.ts";
import type { Port, RunReader } from "../workers/run-reader-client.ts";
import type { SearchPort } from "../workers/search/search-client.ts";
import { readAbilities } from "./abilities.ts";
import { type OfferedConnection, readConnections } from "./connections.ts";
import { type Channel, Session } from "./session.ts";
import type { Answers, CheckOptions, SignInDraft } from "./sign-in.ts";
import { takeSignInToken } from "./sign-in-token.ts";
import { identityOf, type SignedIn } from "./signed-in.ts";
import { Vault } from "./vault.ts";

/** What the console is built from; all but the worker has the browser's own as default. */
export interface WheelhouseOptions {
  /** Starts the run reader's worker (workers/spawn-run-reader.ts). */
  readonly spawnRunReader: () => Port;
  /** Starts a worker that reads big answers (workers/bodies/spawn-bodies.ts). */
  readonly spawnBodies: () => BodyPort;
  /** Starts a worker that reads markdown (workers/spawn-markdown.ts). */
  readonly spawnMarkdown: () => MarkdownPort;
  /** Starts a worker that compares logs (workers/compare/spawn-compare.ts). */
  readonly spawnCompare: () => ComparePort;
  /** Starts a worker that reads the files of previews (workers/files/spawn-files.ts). */
  readonly spawnFiles: () => FilesPort;
  /** Starts a worker that searches everything (workers/search/spawn-search.ts). */
  readonly spawnSearch: () => SearchPort;
  /** Starts a worker that reads PDF files (workers/pdf/spawn-pdf.ts). */
  readonly spawnPdf: () => Worker;
  readonly window?: Window & typeof globalThis;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Tells of the session. Null: tabs do not know of each other. */
  readonly channel?: Channel | null;
  /** Tells of drafts; the browser's own where `channel` is not null. */
  readonly draftChannel?: TabChannel | null;
  readonly store?: KeyValue;
  readonly random?: () => number;
}

/** How the page load began. */
export type Arrival =
  | { readonly kind: "ordinary" }
  | { readonly kind: "link-refused"; readonly error: unknown };

/** Everything that one page load has: made once by main.tsx, and anew by each test. */
export interface Wheelhouse {
  readonly connections: readonly OfferedConnection[];
  readonly session: Session;
  /** The signed-in connection; null while nobody is. Another object when another person or team signs in. */
  readonly api: Store<Api | null>;
  readonly queries: QueryClient;
  readonly polling: PollEnvironment;
  /** For whoever shows markdown: workers/markdown-client.ts. */
  readonly spawnMarkdown: () => MarkdownPort;
  /** For whoever compares logs: workers/compare/compare-client.ts. */
  readonly spawnCompare: () => ComparePort;
  /** For whoever shows files: workers/files/files-client.ts. */
  readonly spawnFiles: () => FilesPort;
  /** For whoever searches everything: workers/search/search-client.ts. */
  readonly spawnSearch: () => SearchPort;
  /** For whoever shows PDF files. */
  readonly spawnPdf: () => Worker;
  /** Finds an earlier sign-in, or uses the link in the address. Resolves when `session.state` is settled. */
  start(): Promise<Arrival>;
  probe(connection: OfferedConnection, signal?: AbortSignal): Promise<Answers>;
  /** Runs the checks of a sign-in; `session.signIn` or `session.renew` takes its result. */
  check(draft: SignInDraft, options: Pick<CheckOptions, "signal" | "onChecks">): Promise<SignedIn | null>;
  close(): void;
}

/** Puts the data layer together. Nothing in it lives in a module, so two of them can be in one test. */
export function createWheelhouse(options: WheelhouseOptions): Wheelhouse {
  const page = options.window ?? window;
  const clock = options.clock ?? systemClock;
  const fetcher = options.fetch ?? page.fetch.bind(page);
  const random = options.random ?? Math.random;
  const { origin } = page.location;
  const caller = { origin, fetch: fetcher, clock };
  const connections = readConnections(page.document);
  const queries = createQueryClient();
  const store = options.store ?? browserStore("wheelhouse");
  const polling = new PollEnvironment({
    window: page,
    document: page.document,
    storage: () => page.localStorage,
    now: clock.now,
  });
  const shared = () => page.localStorage;
  const session = new Session({
    vault: new Vault(() => page.sessionStorage, shared),
    channel: options.channel === undefined ? openChannel(page, "wheelhouse-session") : options.channel,
    now: clock.now,
  });
  const api = new Store<Api | null>(null);
  const readers = new WeakMap<Api, RunReader>();
  const bodies = new WeakMap<Api, BodyReader>();
  const openReader = () => readers.get(api.get() as Api);
  let stopListening: (() => void)[] = [];

  function openDraftChannel(): TabChannel | null {
    if (options.draftChannel !== undefined) return options.draftChannel;
    return options.channel === null ? null : openChannel(page, "wheelhouse-drafts");
  }

  function apiFor(as: SignedIn): Api {
    const id = identityOf(as);
    const traffic = new Traffic({ clock, random, hidden: polling.hidden });
    const capabilities = new Capabilities(as.known);
    polling.setTraffic(traffic);
    const { secret: _, ...who } = as.credential;
    const made: Api = {
      id,
      base: origin + as.connection.path,
      who,
      gate: session.gateFor(id),
      traffic,
      capabilities,
      serverClock: new ServerClock(clock),
      clock,
      fetch: fetcher,
      polling,
      history: new History(store, id, clock.now),
      conversations: new Conversations(store, id, clock.now),
      drafts: new Drafts(store, id, openDraftChannel()),
      runsAct: new Store<RunsAct | null>(null),
      readBig: async (...body) => {
        // Where the code cannot be fetched, the page reads it itself.
        const code = await import("../workers/bodies/body-client.ts").catch(() => null);
        const reader = bodies.get(made) ?? code?.createBodyReader(options.spawnBodies);
        if (reader) bodies.set(made, reader);
        return reader?.read(...body);
      },
      runReader: (create) => {
        const reader = readers.get(made) ?? create(made, options.spawnRunReader);
        readers.set(made, reader);
        return reader;
      },
    };
    if (page.navigator.locks && options.channel !== null) {
      made.meetTabs = () => {
        delete made.meetTabs;
        // Where the code cannot be fetched, this tab asks for itself.
        import("../api/across-tabs.ts").then(({ meet }) => meet(made, queries, page)).catch(() => {});
      };
    }
    capabilities.known.subscribe(() => session.amend({ known: capabilities.known.get() }));
    void made.history.load();
    void made.conversations.load();
    void made.drafts.load();
    return made;
  }

  function follow(): void {
    const state = session.state.get();
    polling.setSignedOut(state.status !== "signed-in");
    const current = api.get();
    if (!("as" in state)) {
      if (state.status === "signed-out") replaceApi(null);
    } else if (current?.id !== identityOf(state.as)) {
      replaceApi(apiFor(state.as));
    }
  }

  function replaceApi(next: Api | null): void {
    openReader()?.close();
    bodies.get(api.get() as Api)?.close();
    api.get()?.drafts.close();
    api.set(next);
  }

  /** Asked again at each load: a service may have been renewed since. */
  async function refreshAbilities(): Promise<void> {
    const current = api.get();
    if (!current) return;
    try {
      const { named, user } = await readAbilities(current);
      current.capabilities.learn(named);
      if (user?.name && user.id === current.who.userId && api.get() === current)
        session.amend({ userName: user.name });
    } catch {
      // What was known stays; a page that needs more finds out itself.
    }
  }

  stopListening = [
    session.state.subscribe(follow),
    session.onSignOut(({ keepHistory = false }) => {
      queries.clear();
      if (!keepHistory) void clearAll(store);
    }),
    polling.connect(queries),
    queries.getQueryCache().subscribe(({ type, query }) => {
      const [, endpoint, runId] = query.queryKey;
      if (type === "removed" && endpoint === "getRun") openReader()?.forget(String(runId));
    }),
    listen(page, "pageshow", session.recheck),
    listen(page, "storage", session.recheck),
    listen(page.document, "visibilitychange", session.recheck),
  ];

  return {
    connections,
    session,
    api,
    queries,
    polling,
    spawnMarkdown: options.spawnMarkdown,
    spawnCompare: options.spawnCompare,
    spawnFiles: options.spawnFiles,
    spawnSearch: options.spawnSearch,
    spawnPdf: options.spawnPdf,
    async start() {
      const token = takeSignInToken(page);
      if (token !== null) {
        const own = connections.find(({ kind }) => kind === "own") ?? connections[0];
        try {
          if (own) {
            const { exchangeToken, rememberSignIn } = await import("./one-time-link.ts");
            const as = await exchangeToken(token, own, caller);
            rememberSignIn(shared, as);
            session.signIn(as);
            await refreshAbilities();
            return { kind: "ordinary" };
          }
        } catch (error) {
          await session.start();
          return { kind: "link-refused", error };
        }
      }
      await session.start();
      void refreshAbilities();
      return { kind: "ordinary" };
    },
    // Only the sign-in page and the overlay need the checks: whoever is signed in does not load them.
    async probe(connection, signal) {
      const { probe } = await import("./sign-in.ts");
      return probe(connection, { ...caller, ...(signal ? { signal } : {}) });
    },
    async check(draft, checkOptions) {
      const { checkSignIn } = await import("./sign-in.ts");
      return checkSignIn(draft, { ...caller, ...checkOptions });
    },
    close() {
      for (const stop of stopListening) stop();
      replaceApi(null);
      queries.clear();
      session.close();
    },
  };
}

function listen(target: Window | Document, type: string, run: () => void): () => void {
  target.addEventListener(type, run);
  return () => target.removeEventListener(type, run);
}

function openChannel(page: Window & typeof globalThis, name: string): Channel | null {
  try {
    return new page.BroadcastChannel(name);
  } catch {
    return null;
  }
}
