/**
 * Takes the README's pictures from the real product: a fresh service with the sample workspace, runs that really ran.
 * `npx tsx scripts/screenshots.ts` writes docs/images/*.png.
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { signInByKey } from "../e2e/console.ts";
import { readRun, runEnds, startRun } from "../e2e/runs.ts";
import { Service } from "../e2e/service.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { chromiumFlags, ensureChromium } from "./ensure-chromium.ts";

const folder = resolve(import.meta.dirname, "../docs/images");
const size = { width: 1440, height: 900 };

/** Runs of all kinds, so that the list and its strip have something to say. @returns the run to show */
async function fill(service: Service): Promise<string> {
  const port = (text: string) => `name,port,tons\n${text}\n`;
  const hellos = ["Ada", "Grace", "Marguerite", "Radia", "Barbara", "Hedy", "Katherine", "Joan"];
  await Promise.all(
    hellos.map(async (name) => runEnds(service, await startRun(service, "flow_hello", { name }))),
  );
  for (const [flow, body] of [
    ["flow_report", {}],
    ["flow_csv_summary", { csv: port("Aurora,Bergen,120\nBorealis,Oslo,95.5") }],
    ["flow_broken", {}],
    ["flow_webhook", { order: 4711, items: ["rope", "paint"] }],
    ["flow_meeting_tasks", { notes: "- Ada: call the yard by 2026-12-04\nTODO send the offer" }],
    ["flow_broken", {}],
  ] as const)
    await runEnds(service, await startRun(service, flow, body));
  const moving = await startRun(service, "flow_long");
  await runEnds(service, await startRun(service, "flow_nest"));
  const rows = [
    "Aurora,Bergen,120",
    "Borealis,Oslo,95.5",
    "Aurora,Bergen,120",
    "Calypso,Bergen,",
    "Dione,Hamburg,310",
  ];
  const shown = await startRun(service, "flow_csv_summary", { csv: port(rows.join("\n")) });
  await runEnds(service, shown);
  while ((await readRun(service, moving)).log.length < 25) await new Promise((wake) => setTimeout(wake, 500));
  return shown;
}

async function signedIn(browser: Browser, service: Service, colorScheme: "light" | "dark"): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme,
    baseURL: service.url,
    locale: "en-GB",
  });
  const page = await context.newPage();
  await signInByKey(page);
  return page;
}

async function take(page: Page, path: string, ready: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByText(ready).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}

ensureBuilt();
mkdirSync(folder, { recursive: true });
const service = await Service.start();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const shown = await fill(service);
  for (const theme of ["light", "dark"] as const) {
    const page = await signedIn(browser, service, theme);
    await take(page, "/runs", "Take ten minutes", `runs-${theme}`);
    await take(page, `/runs/${shown}`, "Summarise a CSV", `run-${theme}`);
    await take(page, "/runs/new?flow=flow_csv_summary", "Which input gets what", `start-run-${theme}`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await service.stop();
}
