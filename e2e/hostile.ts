import type { Page } from "@playwright/test";
import { key, userId } from "../src/testing/hostile/examples.ts";
import { HostileService } from "../src/testing/hostile/server.ts";
import { signInByKey } from "./console.ts";
import { test as base, expect } from "./fixtures.ts";
import { Service } from "./service.ts";

interface Shared {
  /** Says whatever the test tells it to; the connection `Hostile`. */
  readonly hostileService: HostileService;
  /** What the tab keeps of a sign-in, so that a test does not have to type it. */
  readonly session: { kept: string | null };
}

interface Each {
  readonly hostile: HostileService;
  /** Already signed in to the hostile service. */
  readonly signedIn: Page;
}

export const stranger = { connection: "Hostile", key, user: userId };

/** The tests of fixtures.ts with a service behind them that says what it is told. */
export const test = base.extend<Each, Shared>({
  hostileService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const hostile = await HostileService.start();
      await use(hostile);
      await hostile.stop();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ hostileService }, use) => {
      const service = await Service.start({ flags: ["--upstream", `Hostile=${hostileService.url}`] });
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  session: [async ({}, use) => use({ kept: null }), { scope: "worker" }],
  hostile: async ({ hostileService }, use) => {
    hostileService.calm();
    hostileService.requests.length = 0;
    await use(hostileService);
    hostileService.calm();
  },
  signedIn: async ({ page, hostile, session }, use) => {
    if (session.kept === null) {
      await signInByKey(page, stranger);
      session.kept = await page.evaluate(() => sessionStorage.getItem("wheelhouse:session"));
      if (session.kept === null) throw new Error("the tab kept no sign-in");
    } else {
      await page.addInitScript((kept) => {
        if (sessionStorage.getItem("seeded") !== null) return;
        sessionStorage.setItem("seeded", "yes");
        sessionStorage.setItem("wheelhouse:session", kept);
      }, session.kept);
    }
    hostile.requests.length = 0;
    await use(page);
  },
});

/** Goes to another page of the console without loading it anew, as a link does. */
export async function navigateWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, "", to), address);
}

/** Fails where script of the service ran. */
export async function expectNoScript(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
}

export { expect };

/**
 * Lets a time pass in which something must not happen, such as a poll: only time can show that. For everything that
 * must happen, wait for it instead.
 */
export const watchFor = (page: Page, ms: number): Promise<void> => page.waitForTimeout(ms);
