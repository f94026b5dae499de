import { chromium } from "@playwright/test";
import { Service } from "../e2e/service.ts";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import type { Figure } from "./report.ts";

/**
 * What a browser with an empty cache loads of JavaScript until the signed-in runs list stands: bytes on the wire
 * (compressed) and the number of script requests, read from the browser's own network events.
 */
export async function benchFirstRoute(): Promise<Figure[]> {
  const service = await Service.start();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.goto(service.signInLink());
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForURL((url) => !url.hash.includes("sign-in"));

    const scripts = new Map<string, number>();
    const urls = new Map<string, string>();
    session.on("Network.responseReceived", ({ requestId, type, response }) => {
      if (type === "Script" || response.mimeType.includes("javascript")) urls.set(requestId, response.url);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const url = urls.get(requestId);
      if (url !== undefined) scripts.set(url, encodedDataLength);
    });
    await page.goto(`${service.url}/runs`);
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await page.waitForLoadState("networkidle");
    for (const [url, bytes] of scripts)
      console.log(`  ${String(bytes).padStart(8)} ${new URL(url).pathname}`);
    const total = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
    return [
      {
        name: "first route, JavaScript on the wire",
        value: total / 1000,
        unit: "kB",
        budget: 160,
        samples: [...scripts.values()],
      },
      { name: "first route, script requests", value: scripts.size, unit: "requests", budget: 6 },
    ];
  } finally {
    await browser.close();
    await service.stop();
  }
}
