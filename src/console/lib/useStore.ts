import { useSyncExternalStore } from "react";
import type { Store } from "../api/store.ts";

/** What a store holds, as it changes. */
export function useStore<T>(store: Pick<Store<T>, "get" | "subscribe">): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
