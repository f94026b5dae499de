import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { SessionState } from "./session.ts";
import type { SignedIn } from "./signed-in.ts";
import type { Wheelhouse } from "./wheelhouse.ts";

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
  const { state } = useWheelhouse().session;
  return useSyncExternalStore(state.subscribe, state.get);
}

/** The sign-in in use. Only pages inside the frame have one. */
export function useSignedIn(): SignedIn {
  const state = useSessionState();
  if (!("as" in state)) throw new Error("useSignedIn is for pages inside the signed-in frame");
  return state.as;
}
