import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Caller } from "../../api/connection.ts";
import { createQueryClient } from "../../api/query-client.ts";
import type { Api } from "../../lib/api/api.ts";
import { ApiProvider } from "../../lib/api/api-context.tsx";
import { workerUrls } from "../../lib/workers/worker-urls.ts";
import { type WorkerName, workersOf } from "../../lib/workers/workers.ts";
import { ToastHost } from "../../ui/Toast.tsx";

/** What a preview finds around it. */
export interface Surroundings {
  readonly api: Api;
  readonly queries: QueryClient;
}

/**
 * The little of the console that the previews of files need: workers, a way to fetch, a cache. Everything else of a
 * connection (key, person, history) does not exist on the page for strangers, and whoever asks for it fails loudly.
 * To be made once in a page: the policy for addresses of workers can be made once only.
 * @param workerFiles the address of each worker that previews need
 */
export function surroundingsOf(
  page: Window & typeof globalThis,
  caller: Caller,
  workerFiles: Partial<Record<WorkerName, string>>,
): Surroundings {
  const workers = workersOf(page, workerUrls(page, Object.values(workerFiles)), workerFiles);
  return { api: only<Api>("api", { ...caller, id: "shared link", workers }), queries: createQueryClient() };
}

/** Puts a preview into its surroundings. */
export function Surrounded({ by, children }: { by: Surroundings; children: ReactNode }) {
  return (
    <QueryClientProvider client={by.queries}>
      <ApiProvider api={by.api}>
        <ToastHost>{children}</ToastHost>
      </ApiProvider>
    </QueryClientProvider>
  );
}

/** A part of a larger thing, which names whatever else is asked of it. */
function only<T extends object>(what: string, part: Partial<T>): T {
  return new Proxy(part, {
    get(target, key) {
      if (typeof key === "symbol" || key in target) return Reflect.get(target, key);
      throw new Error(`The page for strangers has no ${what}.${key}`);
    },
  }) as T;
}
