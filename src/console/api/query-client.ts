import { QueryClient } from "@tanstack/react-query";
import { isRetryable } from "./errors.ts";

/**
 * The cache of one page load. What was read is kept while later reads fail; only what may pass is tried again (a
 * polled query is tried again by its policy); writes are never sent twice by themselves (C-20).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A service on this machine answers without a network, so the browser's opinion of it must not stop a read.
        networkMode: "always",
        gcTime: 5 * 60_000,
        retry: (count, error) => count < 2 && isRetryable(error),
        retryDelay: (count) => 500 * 2 ** count,
        throwOnError: false,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
