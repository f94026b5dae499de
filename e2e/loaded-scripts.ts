import type { Page } from "@playwright/test";

export interface Loaded {
  readonly path: string;
  /** The body as it was sent, without headers. */
  readonly bytes: number;
}

/** Opens the runs list with an empty cache, signed in, and lists the scripts that came, as sent in this encoding. */
export function loadedScripts(page: Page, runsAddress: string, encoding: "gzip" | "br"): Promise<Loaded[]> {
  const stands = () => page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  return scriptsOf(page, runsAddress, encoding, stands);
}

/** The same for any page; `stands` resolves when it is there. */
export async function scriptsOf(
  page: Page,
  address: string,
  encoding: "gzip" | "br",
  stands: () => Promise<void>,
): Promise<Loaded[]> {
  // What the page before still loads is none of this one's.
  await page.goto("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Encoding": encoding } });
  const begun = new Map<string, { path: string; headers: number }>();
  const loaded: Loaded[] = [];
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type !== "Script" && !response.mimeType.includes("javascript")) return;
    begun.set(requestId, { path: new URL(response.url).pathname, headers: response.encodedDataLength });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = begun.get(requestId);
    if (script !== undefined) loaded.push({ path: script.path, bytes: encodedDataLength - script.headers });
  });
  // What a page fetches a moment later, unasked, is not of its opening, however long that takes on a busy machine.
  await page.addInitScript(() => {
    const start = window.setTimeout;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
      ms >= 2_000 ? 0 : start(run, ms, ...rest)) as typeof setTimeout;
  });
  await page.goto(address);
  await stands();
  await page.waitForLoadState("networkidle");
  await session.detach();
  return loaded;
}

/** Bytes of all bodies, in kB. */
export function kilobytes(scripts: readonly Loaded[]): number {
  return scripts.reduce((sum, one) => sum + one.bytes, 0) / 1000;
}
