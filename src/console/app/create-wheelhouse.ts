import type { TabChannel } from "../api/across-tabs.ts";
import { type Clock, systemClock } from "../api/clock.ts";
import { PollEnvironment } from "../api/poll-environment.ts";
import { fetchOf } from "../api/preloaded.ts";
import { createQueryClient } from "../api/query-client.ts";
import { Store } from "../api/store.ts";
import { type OfferedConnection, readAbilities, readConnections } from "../areas/session/connections.ts";
import { Session } from "../areas/session/session.ts";
import { identityOf, type SignedIn } from "../areas/session/signed-in.ts";
import { takeSignInToken, Vault } from "../areas/session/vault.ts";
import type { StartResult, Wheelhouse } from "../areas/session/wheelhouse.tsx";
import type { Api, Kept } from "../lib/api.tsx";
import { clearAll } from "../lib/history/drafts.ts";
import { browserStore, type KeyValue } from "../lib/history/key-value.ts";
import type { Workers } from "../lib/workers/workers.ts";
import { apiOf, openChannel } from "./api-of.ts";

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
  let kept = new Map<unknown, Kept>();

  function follow(): void {
    const state = session.state.get();
    polling.setSignedOut(state.status !== "signed-in");
    const current = api.get();
    if (!("as" in state)) {
      if (state.status === "signed-out") replaceApi(null);
    } else if (current?.id !== identityOf(state.as)) {
      replaceApi(state.as);
    }
  }

  function replaceApi(as: SignedIn | null): void {
    for (const thing of kept.values()) thing.close?.();
    api.get()?.drafts.close();
    kept = new Map();
    api.set(
      as && apiOf(as, { options, page, clock, fetch: fetcher, store, session, queries, polling, kept }),
    );
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

  async function signInByLink(token: string, own: OfferedConnection): Promise<StartResult> {
    try {
      const { exchangeToken, rememberSignIn } = await import("../areas/session/sign-in-link.ts");
      const as = await exchangeToken(token, own, caller);
      rememberSignIn(shared, as);
      session.signIn(as);
      // Only a service that the page knows nothing of is asked before the first page.
      if (as.known.named === null) await refreshAbilities();
      else void refreshAbilities();
      return { kind: "ordinary" };
    } catch (error) {
      await session.start();
      return { kind: "link-refused", error };
    }
  }

  const stopListening = [
    session.state.subscribe(follow),
    session.onSignOut(({ keepHistory = false }) => {
      queries.clear();
      if (!keepHistory) void clearAll(store);
    }),
    polling.connect(queries),
    queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === "removed") for (const thing of kept.values()) thing.forget?.(query.queryKey);
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
      const own = connections.find(({ kind }) => kind === "own") ?? connections[0];
      if (token !== null && own) return signInByLink(token, own);
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
