import { useSyncExternalStore } from "react";
import type { Store } from "../api/store.ts";

/** The value of a store; what uses it is drawn anew with each change. */
export function useStore<T>({ subscribe, get }: Pick<Store<T>, "subscribe" | "get">): T {
  return useSyncExternalStore(subscribe, get);
}
