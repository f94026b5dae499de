import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Api, Caller } from "../../api/api.ts";
import { createQueryClient } from "../../api/query-client.ts";
import { ApiProvider } from "../../components/api-context.tsx";
import { WheelhouseProvider } from "../../components/wheelhouse-context.tsx";
import type { Wheelhouse } from "../../session/wheelhouse.ts";
import { ToastHost } from "../../ui/Toast.tsx";
import { filesSpawner, filesUrl } from "../../workers/files/spawn-files.ts";
import { pdfSpawner, pdfUrl } from "../../workers/pdf/spawn-pdf.ts";
import { markdownSpawner, markdownUrl } from "../../workers/spawn-markdown.ts";
import { workerUrls } from "../../workers/worker-urls.ts";

/** What a preview finds around it. */
export interface Surroundings {
  readonly api: Api;
  readonly wheelhouse: Wheelhouse;
  readonly queries: QueryClient;
}

/**
 * The little of the console that the previews of files need: workers, a way to fetch, a cache. Everything else of a
 * connection (key, person, history) does not exist on the page for strangers, and whoever asks for it fails loudly.
 * To be made once in a page: the policy for addresses of workers can be made once only.
 */
export function surroundingsOf(page: Window & typeof globalThis, caller: Caller): Surroundings {
  const urls = workerUrls(page, [markdownUrl, filesUrl, pdfUrl]);
  const api = only<Api>("api", { ...caller, id: "shared link" });
  const wheelhouse = only<Wheelhouse>("wheelhouse", {
    spawnMarkdown: markdownSpawner(page, urls),
    spawnFiles: filesSpawner(page, urls),
    spawnPdf: pdfSpawner(page, urls),
  });
  return { api, wheelhouse, queries: createQueryClient() };
}

/** Puts a preview into its surroundings. */
export function Surrounded({ by, children }: { by: Surroundings; children: ReactNode }) {
  return (
    <WheelhouseProvider wheelhouse={by.wheelhouse}>
      <QueryClientProvider client={by.queries}>
        <ApiProvider api={by.api}>
          <ToastHost>{children}</ToastHost>
        </ApiProvider>
      </QueryClientProvider>
    </WheelhouseProvider>
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
