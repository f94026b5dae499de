import type { QueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import type { PollEnvironment } from "../../api/poll-environment.ts";
import type { Store } from "../../api/store.ts";
import type { Api } from "../../lib/api.tsx";
import { useStore } from "../../lib/useStore.ts";
import type { OfferedConnection } from "./connections.ts";
import type { Session, SessionState } from "./session.ts";
import type { Answers, CheckOptions, SignInDraft } from "./sign-in.ts";
import type { SignedIn } from "./signed-in.ts";

/** What the start of a page load came to. */
export type StartResult =
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
  /** Finds an earlier sign-in, or uses the link in the address. Resolves when `session.state` is settled. */
  start(): Promise<StartResult>;
  probe(connection: OfferedConnection, signal?: AbortSignal): Promise<Answers>;
  /** Runs the checks of a sign-in; `session.signIn` or `session.renew` takes its result. */
  check(draft: SignInDraft, options: Pick<CheckOptions, "signal" | "onChecks">): Promise<SignedIn | null>;
  close(): void;
}

const WheelhouseContext = createContext<Wheelhouse | null>(null);

/** Gives what one page load has to all below. */
export function WheelhouseProvider({
  wheelhouse,
  children,
}: {
  wheelhouse: Wheelhouse;
  children: ReactNode;
}) {
  return <WheelhouseContext value={wheelhouse}>{children}</WheelhouseContext>;
}

/** Connections, session and caches of this page load. */
export function useWheelhouse(): Wheelhouse {
  const wheelhouse = use(WheelhouseContext);
  if (!wheelhouse) throw new Error("useWheelhouse needs a WheelhouseProvider above it");
  return wheelhouse;
}

/** Who is signed in, as it changes. */
export function useSessionState(): SessionState {
  return useStore(useWheelhouse().session.state);
}

/** The sign-in in use. Only pages inside the frame have one. */
export function useSignedIn(): SignedIn {
  const state = useSessionState();
  if (!("as" in state)) throw new Error("useSignedIn is for pages inside the signed-in frame");
  return state.as;
}
