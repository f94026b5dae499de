import { useSyncExternalStore } from "react";
import type { Store } from "../api/store.ts";

type Readable<T> = Pick<Store<T>, "get" | "subscribe">;

/**
 * What a store holds, as it changes.
 * @param pick what of it is shown: who shows a part renders again only when that part is another one (`Object.is`)
 */
export function useStore<T>(store: Readable<T>): T;
export function useStore<T, P>(store: Readable<T>, pick: (value: T) => P): P;
export function useStore<T, P>(store: Readable<T>, pick: (value: T) => T | P = (value) => value): T | P {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()));
}
