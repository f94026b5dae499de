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

/** The browser's `fetch`, which hands out each answer that is on its way already to the first who asks for just that. */
export function fetchOf(
  page: Pick<Window & typeof globalThis, "fetch" | "wheelhousePreloaded">,
): typeof fetch {
  return async (address, init = {}) => {
    const url = String(address);
    const early = page.wheelhousePreloaded?.get(url);
    if (early === undefined || init.method !== "GET") return page.fetch(address, init);
    page.wheelhousePreloaded?.delete(url);
    if (JSON.stringify(early.headers) !== JSON.stringify(init.headers)) {
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
