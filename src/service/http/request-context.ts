import type { Context } from "../context.ts";
import { networkOf } from "../guessing/network.ts";

/** Who sends a request. */
export interface Asking {
  readonly request: { readonly signal: AbortSignal };
  /** The person or team; "" without a credential. */
  readonly who: string;
  /** Of the socket. */
  readonly remoteAddress: string;
}

/**
 * The context for one request: what it does in the database gets connections in turn with all others who ask, those without
 * a credential by their network.
 */
export function requestContext(context: Context, { request, who, remoteAddress }: Asking): Context {
  let store: Context["store"] | null = null;
  return {
    ...context,
    get store() {
      store ??= context.store.of({ who: who || networkOf(remoteAddress), gone: () => request.signal });
      return store;
    },
    get engine() {
      return context.engine.through(this.store.db);
    },
  };
}
