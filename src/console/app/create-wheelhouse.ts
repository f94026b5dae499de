import type { TabChannel } from "../api/across-tabs.ts";
import { Capabilities } from "../api/capabilities.ts";
import { type Clock, ServerClock, systemClock } from "../api/clock.ts";
import { PollEnvironment } from "../api/poll-environment.ts";
import { fetchOf, isPreloadedIn } from "../api/preloaded.ts";
import { createQueryClient } from "../api/query-client.ts";
import { Store } from "../api/store.ts";
import { Traffic } from "../api/traffic.ts";
import { readAbilities, readConnections } from "../areas/session/connections.ts";
import { Session } from "../areas/session/session.ts";
import { identityOf, type SignedIn } from "../areas/session/signed-in.ts";
import { takeSignInToken, Vault } from "../areas/session/vault.ts";
import type { Wheelhouse } from "../areas/session/wheelhouse.tsx";
import type { Api, Kept } from "../lib/api.tsx";
import { Conversations } from "../lib/history/conversations.ts";
import { clearAll, Drafts } from "../lib/history/drafts.ts";
import { History } from "../lib/history/history.ts";
import { browserStore, type KeyValue } from "../lib/history/key-value.ts";
import type { Workers } from "../lib/workers/workers.ts";

/** What the console is built from; all but the workers has the browser's own as default. */
export interface WheelhouseOptions {
  readonly workers: Workers;
  readonly window?: Window & typeof globalThis;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Tells of the session. Null: tabs do not know of each other. */
  readonly channel?: TabChannel | null;
  /** Tells of drafts; the browser's own where `channel` is not null. */
  readonly draftChannel?: TabChannel | null;
  readonly store?: KeyValue;
  readonly random?: () => number;
}

/** Puts the data layer together. Nothing in it lives in a module, so two of them can be in one test. */
export function createWheelhouse(options: WheelhouseOptions): Wheelhouse {
  const page = options.window ?? window;
  const clock = options.clock ?? systemClock;
  const fetcher = options.fetch ?? fetchOf(page);
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
    // A key stays what it is.
    end: (as) => {
      if (as.credential.kind === "token" && as.known.named?.includes("console_sessions"))
        void import("../areas/session/sign-in-link.ts")
          .then(({ endSession }) => endSession(as, caller, (address) => page.location.assign(address)))
          .catch(() => {});
    },
  });
  const api = new Store<Api | null>(null);
  const kept = new WeakMap<Api, Map<unknown, object>>();
  const keptNow = (): Iterable<Kept> => kept.get(api.get() as Api)?.values() ?? [];
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
    const things = new Map<unknown, object>();
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
      ...(options.fetch === undefined && { isPreloaded: isPreloadedIn(page) }),
      polling,
      history: new History(store, id, clock.now),
      conversations: new Conversations(store, id, clock.now),
      drafts: new Drafts(store, id, openDraftChannel()),
      workers: options.workers,
      readBig: async (...body) => {
        // Where the code cannot be fetched, the page reads it itself.
        const code = await import("../lib/bodies/body-client.ts").catch(() => null);
        return code === null ? undefined : made.keep(code.bodyReaderOf).read(...body);
      },
      keep: (make) => {
        const known = things.get(make) as ReturnType<typeof make> | undefined;
        if (known !== undefined) return known;
        const thing = make(made);
        things.set(make, thing);
        return thing;
      },
    };
    kept.set(made, things);
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
    for (const thing of keptNow()) thing.close?.();
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
      if (!user?.name || user.id !== current.who.userId || api.get() !== current) return;
      const state = session.state.get();
      if ("as" in state && state.as.userName !== user.name) session.amend({ userName: user.name });
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
      if (type === "removed") for (const thing of keptNow()) thing.forget?.(query.queryKey);
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
    async start() {
      const token = takeSignInToken(page);
      if (token !== null) {
        const own = connections.find(({ kind }) => kind === "own") ?? connections[0];
        try {
          if (own) {
            const { exchangeToken, rememberSignIn } = await import("../areas/session/sign-in-link.ts");
            const as = await exchangeToken(token, own, caller);
            rememberSignIn(shared, as);
            session.signIn(as);
            // Only a service that the page knows nothing of is asked before the first page.
            if (as.known.named === null) await refreshAbilities();
            else void refreshAbilities();
            return { kind: "ordinary" };
          }
        } catch (error) {
          await session.start();
          return { kind: "link-refused", error };
        }
      }
      const isFound = session.start();
      // Who asked for the sign-in sees it at once: it goes on by itself where another tab hands over its own.
      if (page.location.pathname !== "/sign-in") await isFound;
      void isFound.then(refreshAbilities);
      return { kind: "ordinary" };
    },
    // Only the sign-in page and the overlay need the checks: whoever is signed in does not load them.
    async probe(connection, signal) {
      const { probe } = await import("../areas/session/sign-in.ts");
      return probe(connection, { ...caller, ...(signal ? { signal } : {}) });
    },
    async check(draft, checkOptions) {
      const { checkSignIn } = await import("../areas/session/sign-in.ts");
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

function openChannel(page: Window & typeof globalThis, name: string): TabChannel | null {
  try {
    return new page.BroadcastChannel(name);
  } catch {
    return null;
  }
}
