import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { use, useMemo, useState } from "react";
import type { Caller } from "../../api/connection.ts";
import { createQueryClient } from "../../api/query-client.ts";
import type { Api } from "../../lib/api.tsx";
import { ApiProvider } from "../../lib/api.tsx";
import { type WorkerName, workersOf, workerUrls } from "../../lib/workers/workers.ts";
import { ToastHost } from "../../ui/Toast.tsx";
import { type FileVersion, Preview } from "../artifacts/index.ts";
import { type OpenedFile, shownFilename } from "./shared-link.ts";

type Props = {
  /** Made once in a page; the same promise at each render. */
  surroundings: Promise<Surroundings>;
  file: OpenedFile;
  onRenew: () => Promise<OpenedFile | null>;
};

/** How the file looks: the same previews as in the console, with nothing of the console around them. */
export default function FilePreview({ surroundings, file, onRenew }: Props) {
  const { api, queries } = use(surroundings);
  const [page, setPage] = useState<number | undefined>();
  const { created_at, size, media_type, preview_url, download_url } = file;
  const address = preview_url ?? download_url ?? null;
  // The bytes of a version never change; only the address that leads to them does.
  const version = useMemo<FileVersion>(
    () => ({
      key: created_at ?? "newest",
      number: null,
      isNewest: true,
      at: created_at ?? null,
      size: size ?? null,
      mediaType: media_type ?? null,
      by: null,
      url: address,
      renew: async () => {
        const fresh = await onRenew();
        return fresh?.preview_url ?? fresh?.download_url ?? null;
      },
    }),
    [created_at, size, media_type, address, onRenew],
  );
  return (
    <QueryClientProvider client={queries}>
      <ApiProvider api={api}>
        <ToastHost>
          <Preview
            version={version}
            filename={file.filename ?? null}
            name={shownFilename(file.filename)}
            page={page}
            onPage={setPage}
          />
        </ToastHost>
      </ApiProvider>
    </QueryClientProvider>
  );
}

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

/** A part of a larger thing, which names whatever else is asked of it. */
function only<T extends object>(what: string, part: Partial<T>): T {
  return new Proxy(part, {
    get(target, key) {
      if (typeof key === "symbol" || key in target) return Reflect.get(target, key);
      throw new Error(`The shared page has no ${what}.${key}`);
    },
  }) as T;
}
