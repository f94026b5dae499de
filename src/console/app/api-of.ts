import type { QueryClient } from "@tanstack/react-query";
import type { TabChannel } from "../api/across-tabs.ts";
import { Capabilities } from "../api/capabilities.ts";
import { type Clock, ServerClock } from "../api/clock.ts";
import type { PollEnvironment } from "../api/poll-environment.ts";
import { isPreloadedIn } from "../api/preloaded.ts";
import { Traffic } from "../api/traffic.ts";
import type { Session } from "../areas/session/session.ts";
import { identityOf, type SignedIn } from "../areas/session/signed-in.ts";
import type { Api, Kept } from "../lib/api.tsx";
import { Conversations } from "../lib/history/conversations.ts";
import { Drafts } from "../lib/history/drafts.ts";
import { History } from "../lib/history/history.ts";
import type { KeyValue } from "../lib/history/key-value.ts";
import type { WheelhouseOptions } from "./create-wheelhouse.ts";

/** What the connections of one page load share, whoever signs in. */
interface Around {
  readonly options: WheelhouseOptions;
  readonly page: Window & typeof globalThis;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly store: KeyValue;
  readonly session: Session;
  readonly queries: QueryClient;
  readonly polling: PollEnvironment;
  /** What areas keep, by what makes it. */
  readonly kept: Map<unknown, Kept>;
}

/** The connection of whoever has signed in, with what this browser remembers of them. */
export function apiOf(as: SignedIn, around: Around): Api {
  const { options, page, clock, fetch, store, session, queries, polling, kept } = around;
  const id = identityOf(as);
  const random = options.random ?? Math.random;
  const traffic = new Traffic({ clock, random, hidden: polling.hidden });
  const capabilities = new Capabilities(as.known);
  polling.setTraffic(traffic);
  const { secret: _, ...who } = as.credential;
  const made: Api = {
    id,
    base: page.location.origin + as.connection.path,
    who,
    gate: session.gateFor(id),
    traffic,
    capabilities,
    serverClock: new ServerClock(clock),
    clock,
    fetch,
    ...(options.fetch === undefined && { isPreloaded: isPreloadedIn(page) }),
    polling,
    history: new History(store, id, clock.now),
    conversations: new Conversations(store, id, clock.now),
    drafts: new Drafts(store, id, draftChannel(options, page)),
    workers: options.workers,
    readBig: async (...body) => {
      // Where the code cannot be fetched, the page reads it itself.
      const code = await import("../lib/bodies/body-client.ts").catch(() => null);
      return code === null ? undefined : made.keep(code.bodyReaderOf).read(...body);
    },
    keep: (make) => {
      // What stands under a function is what it made.
      const known = kept.get(make) as ReturnType<typeof make> | undefined;
      if (known !== undefined) return known;
      const thing = make(made);
      kept.set(make, thing);
      return thing;
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

function draftChannel(options: WheelhouseOptions, page: Window & typeof globalThis): TabChannel | null {
  if (options.draftChannel !== undefined) return options.draftChannel;
  return options.channel === null ? null : openChannel(page, "wheelhouse-drafts");
}

/** A way to the other tabs; null where the browser has none. */
export function openChannel(page: Window & typeof globalThis, name: string): TabChannel | null {
  try {
    return new page.BroadcastChannel(name);
  } catch {
    return null;
  }
}
