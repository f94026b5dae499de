import type { PlainRequest } from "./request.ts";

/** A read that the page's first script has begun (`src/console/app/preload-reads.js`). */
interface Preloaded {
  readonly answer: Promise<Response>;
  /** As it was asked, in the order of `buildRequest`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stop: () => void;
}

declare global {
  interface Window {
    wheelhousePreloaded?: Map<string, Preloaded>;
  }
}

type Page = Pick<Window & typeof globalThis, "fetch" | "wheelhousePreloaded">;

/** Whether the answer to just this is on its way already, so that `fetchOf` will hand it out. */
export const isPreloadedIn =
  (page: Page) =>
  ({ url, method, headers }: PlainRequest): boolean => {
    const early = page.wheelhousePreloaded?.get(url);
    return early !== undefined && method === "GET" && isAskedBy(early, headers);
  };

const isAskedBy = (early: Preloaded, headers: HeadersInit | undefined): boolean =>
  JSON.stringify(early.headers) === JSON.stringify(headers);

/** The browser's `fetch`, which hands out each answer that is on its way already to the first who asks for just that. */
export function fetchOf(page: Page): typeof fetch {
  return async (address, init = {}) => {
    const url = String(address);
    const early = page.wheelhousePreloaded?.get(url);
    if (early === undefined || init.method !== "GET") return page.fetch(address, init);
    page.wheelhousePreloaded?.delete(url);
    if (!isAskedBy(early, init.headers)) {
      early.stop();
      return page.fetch(address, init);
    }
    init.signal?.addEventListener("abort", early.stop, { once: true });
    const answer = await early.answer;
    if (answer.status !== 200) return answer;
    // It came before it was asked for: what time it was then says nothing of now.
    const headers = new Headers(answer.headers);
    headers.delete("date");
    return new Response(answer.body, { status: 200, headers });
  };
}
