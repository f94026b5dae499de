import { chromium } from "@playwright/test";
import { expectSignedIn } from "../e2e/console.ts";
import { runEnds, startRun } from "../e2e/runs.ts";
import { Service } from "../e2e/service.ts";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import { type Figure, quantile } from "./report.ts";

const rounds = 3;
const runs = 30;

/** A phone on a slow line: 9 Mbit/s, 170 ms, a quarter of the processor. */
const network = {
  offline: false,
  latency: 170,
  downloadThroughput: (9 * 1024 * 1024) / 8,
  uploadThroughput: (9 * 1024 * 1024) / 8,
};
const slowdown = 4;

/** What is told of one cold load, in ms since its navigation began. */
interface Load {
  readonly firstRow: number;
  readonly blocked: number;
}

/** The runs list with an empty cache on a slow line: until its first row, and how long long tasks blocked until then. */
export async function benchRunsList(): Promise<Figure[]> {
  const service = await Service.start();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  const loads: Load[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      await runEnds(service, await startRun(service, "flow_hello", { name: `bench ${run}` }));
    }
    const page = await browser.newPage();
    await page.goto(service.signInLink());
    await expectSignedIn(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    await cdp.send("Network.emulateNetworkConditions", network);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.addInitScript({ content: watchRows });
    for (let round = 0; round < rounds; round += 1) {
      await page.goto(`${service.url}/runs`);
      let told: Load | undefined;
      while (told === undefined) {
        await new Promise((wake) => setTimeout(wake, 200));
        told = await page.evaluate<Load | undefined>("window.told");
      }
      loads.push(told);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
  const firstRows = loads.map((one) => one.firstRow);
  const blocked = loads.map((one) => one.blocked);
  return [
    {
      name: "runs list, cold: first row",
      value: quantile(firstRows, 0.5),
      unit: "ms",
      budget: 1_800,
      samples: firstRows,
    },
    {
      name: "runs list, cold: blocking time",
      value: quantile(blocked, 0.5),
      unit: "ms",
      budget: 450,
      samples: blocked,
    },
  ];
}

/**
 * A script of the page: looks before each frame for the first row, and two seconds later tells what blocked until then.
 * Text, because what runs this bench adds helpers to functions.
 */
const watchRows = `(() => {
  let blocked = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) blocked += Math.max(0, task.duration - 50);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    if (!document.querySelector('main a[href^="/runs/"]:not([href^="/runs/new"])')) return requestAnimationFrame(look);
    const firstRow = performance.now();
    setTimeout(() => { window.told = { firstRow, blocked }; }, 2_000);
  };
  requestAnimationFrame(look);
})()`;
