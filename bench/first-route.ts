import { chromium, type Page } from "@playwright/test";
import { expectSignedIn } from "../e2e/console.ts";
import { Service } from "../e2e/service.ts";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import type { Figure } from "./report.ts";

interface Loaded {
  readonly path: string;
  /** The body as it was sent, without headers. */
  readonly bytes: number;
}

/** Loads an address with an empty cache and lists the scripts that came, as sent in this encoding. */
async function scriptsOf(page: Page, address: string, encoding: "gzip" | "br"): Promise<Loaded[]> {
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
  await page.goto(address);
  await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  await page.waitForLoadState("networkidle");
  await session.detach();
  return loaded;
}

const kilobytes = (scripts: readonly Loaded[]) => scripts.reduce((sum, one) => sum + one.bytes, 0) / 1000;

/**
 * What a browser with an empty cache loads of JavaScript until the signed-in runs list stands: bytes of the compressed
 * bodies and the number of script requests, read from the browser's own network events.
 */
export async function benchFirstRoute(): Promise<Figure[]> {
  const service = await Service.start();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    await page.goto(service.signInLink());
    await expectSignedIn(page);
    const gzip = await scriptsOf(page, `${service.url}/runs`, "gzip");
    const brotli = await scriptsOf(page, `${service.url}/runs`, "br");
    for (const { path, bytes } of gzip) console.log(`  ${String(bytes).padStart(8)} ${path}`);
    return [
      {
        name: "first route, JavaScript (gzip)",
        value: kilobytes(gzip),
        unit: "kB",
        budget: 160,
        samples: gzip.map((one) => one.bytes),
      },
      {
        name: "first route, JavaScript (brotli, what browsers get)",
        value: kilobytes(brotli),
        unit: "kB",
        budget: null,
        samples: brotli.map((one) => one.bytes),
      },
      { name: "first route, script requests", value: gzip.length, unit: "requests", budget: 6 },
    ];
  } finally {
    await browser.close();
    await service.stop();
  }
}
