import { chromium } from "@playwright/test";
import { expectSignedIn } from "../e2e/console.ts";
import { kilobytes, loadedScripts } from "../e2e/loaded-scripts.ts";
import { runEnds, startRun } from "../e2e/runs.ts";
import { Service } from "../e2e/service.ts";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import type { Figure } from "./report.ts";

/**
 * What a browser with an empty cache loads of JavaScript until the signed-in runs list stands: bytes of the compressed
 * bodies and the number of script requests, read from the browser's own network events.
 */
export async function benchFirstRoute(): Promise<Figure[]> {
  const service = await Service.start();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  try {
    await runEnds(service, await startRun(service, "flow_hello", { name: "Listed" }));
    const page = await browser.newPage();
    await page.goto(service.signInLink());
    await expectSignedIn(page);
    const gzip = await loadedScripts(page, `${service.url}/runs`, "gzip");
    const brotli = await loadedScripts(page, `${service.url}/runs`, "br");
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
