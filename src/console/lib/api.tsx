import type { QueryKey } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { Capability } from "../../contract/console.ts";
import type { Connection } from "../api/connection.ts";
import type { Conversations } from "./history/conversations.ts";
import type { Drafts } from "./history/drafts.ts";
import type { History } from "./history/history.ts";
import type { Workers } from "./workers/workers.ts";

const ApiContext = createContext<Api | null>(null);

/** Gives the signed-in connection to all below. */
export function ApiProvider({ api, children }: { api: Api; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The signed-in connection. Only pages inside the frame have one. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error("useApi is for pages inside the signed-in frame");
  return api;
}

/** Whether the service has this extension; renders again when that is learned. The one question that pages ask. */
export function useCan(name: Capability): boolean {
  const { capabilities } = useApi();
  return useSyncExternalStore(capabilities.known.subscribe, () => capabilities.can(name));
}

/** What something that a connection keeps may have to be told. */
export interface Kept {
  /** The person signed out, or another one signed in. */
  close?(): void;
  /** The cache let go of what was read under this key. */
  forget?(queryKey: QueryKey): void;
}

/** One signed-in connection, with all that areas need around it. Built once per sign-in, never kept in a module. */
export interface Api extends Connection {
  readonly workers: Workers;
  /** The runs that this browser knows as this identity. */
  readonly history: History;
  /** The conversations that this browser knows as this identity. */
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  /**
   * What an area keeps for as long as somebody is signed in, and longer than any page: the first call with a function makes
   * it, the others get the same. Whoever asks brings what makes it, so that the first page loads without it.
   */
  readonly keep: <T extends object>(make: (api: Api) => T) => T;
}
