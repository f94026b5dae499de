/**
 * Takes the README's pictures from the real product: a fresh service with the sample workspace, what it shows really done.
 * `npx tsx scripts/screenshots.ts` writes docs/images/*.png.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { signInByKey } from "../e2e/console.ts";
import { Service } from "../e2e/service.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { chromiumFlags, ensureChromium } from "./ensure-chromium.ts";
import { fillForPictures, workspaceOfPictures } from "./screenshot-content.ts";
import { smallPng } from "./small-png.ts";

const folder = resolve(import.meta.dirname, "../docs/images");

async function signedIn(browser: Browser, service: Service, colorScheme: "light" | "dark"): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme,
    baseURL: service.url,
    locale: "en-GB",
  });
  const page = await context.newPage();
  await signInByKey(page);
  return page;
}

/** Opens a page, does what `act` does, waits for the words that must stand on it, and takes its picture. */
async function take(
  page: Page,
  [name, path, ready, act]: readonly [string, string, string, ((page: Page) => Promise<void>)?],
): Promise<void> {
  await page.goto(path);
  await act?.(page);
  await page.getByText(ready).first().waitFor();
  // What waits is counted in the sidebar a moment after the page.
  await page.getByLabel("Sidebar").getByText("waiting for you").first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  const picture = smallPng(await page.screenshot());
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`docs/images/${name}.png ${Math.round(picture.length / 1024)} kB`);
}

const share = (page: Page) => page.getByRole("button", { name: "Share", exact: true }).click();

ensureBuilt();
mkdirSync(folder, { recursive: true });
const service = await Service.start({ flags: ["--workspace", workspaceOfPictures()] });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const { run, source, artifact, conversation } = await fillForPictures(service);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const dark = await signedIn(browser, service, "dark");
  await take(dark, ["run-dark", `/runs/${run}`, "Summarise a CSV"]);
  const light = await signedIn(browser, service, "light");
  for (const picture of [
    ["run-light", `/runs/${run}`, "Summarise a CSV"],
    ["overview-light", "/", "Waiting for your approval"],
    ["conversation-light", `/agents/agent_clerk/conversations/${conversation}`, "berths.md"],
    ["share-light", `/artifacts/${artifact}`, "have access", share],
    ["mcp-light", "/mcp?server=shelf", "Used by"],
    ["evaluations-light", "/agents/agent_clerk/evaluations", "No dates on a weekend"],
    ["knowledge-light", `/knowledge/${source}`, "winter-storage.html"],
  ] as const)
    await take(light, picture);
} finally {
  await browser.close();
  await service.stop();
}
