import type { BrowserContext, Page } from "@playwright/test";
import type { Answering, HostileService } from "../src/testing/hostile/server.ts";
import { everyPageAt, healthy } from "./every-page.ts";
import { expect, test } from "./hostile.ts";
import { expectNoSkeleton } from "./settled.ts";

/** What the network does to a request; `waits`: whoever asks hears nothing, so that the page rightly goes on waiting. */
interface NetworkFault {
  readonly answer?: Answering;
  readonly waits?: true;
  readonly offline?: true;
}

const html = { "content-type": "text/html" };
const json = { "content-type": "application/json" };
const whole: Answering = (request) => healthy(request);

/** Twelve ways in which a network and what stands in it fail. */
const faults: Readonly<Record<string, NetworkFault>> = {
  "the browser is offline": { offline: true },
  "the connection is cut before a word": { answer: { cut: "before" } },
  "the connection is cut in the middle": { answer: (request) => ({ ...healthy(request), cut: "middle" }) },
  "nothing is ever said": { answer: { after: new Promise(() => {}) }, waits: true },
  "a proxy has no gateway": {
    answer: { status: 502, body: "<html><h1>Bad Gateway</h1></html>", headers: html },
  },
  "a proxy gives up waiting": { answer: { status: 504, body: "", headers: html } },
  "a proxy asks to sign in, with 200": {
    answer: { body: "<html><form>Sign in</form></html>", headers: html },
  },
  "a redirect to somewhere else": { answer: { status: 302, body: "", headers: { location: "/elsewhere" } } },
  "an empty answer": { answer: { body: "", headers: json } },
  "JSON that ends too early": { answer: { body: '{"agents":[{"id":"a', headers: json } },
  "it asks to wait a second": {
    answer: { status: 503, json: { error: "unavailable" }, headers: { "retry-after": "1" } },
  },
  "it was asked too often": {
    answer: { status: 429, json: { error: "rate_limited" }, headers: { "retry-after": "1" } },
  },
};

async function begin(fault: NetworkFault, context: BrowserContext, hostile: HostileService): Promise<void> {
  if (fault.offline) await context.setOffline(true);
  else hostile.on("*", fault.answer ?? whole);
}

async function end(context: BrowserContext, hostile: HostileService): Promise<void> {
  hostile.on("*", whole);
  await context.setOffline(false);
}

/** What the page says, without what ticks. */
const said = (page: Page) =>
  page.evaluate(() =>
    (document.querySelector("main")?.textContent ?? "").replaceAll(/\d+ ?(ms|s|min|h|d)?\b/g, "0").trim(),
  );

const isAtRest = (page: Page) =>
  page.evaluate(() => document.querySelector(".appear-late, [aria-busy=true]:not(button)") === null);

/** Words of a page that fell, or of values that nobody put into words. */
const fallen = /This page could not be shown|\bNaN\b|\bundefined\b|\[object |Invalid Date/;

/** What each page says of a healthy service, by its place in the list. */
const good = new Map<number, string>();

async function learn(page: Page): Promise<void> {
  for (const [at, address] of everyPageAt(1).entries()) {
    await page.evaluate((to) => history.pushState({}, "", to), address);
    await expect.poll(() => page.evaluate(() => location.pathname + location.search)).toBe(address);
    await expectNoSkeleton(page);
    good.set(at, await said(page));
  }
}

test.describe("C-13 C-20 C-24 every page under a fault of the network", { tag: "@long" }, () => {
  // A page waits for the service to come back more than it works: several faults at once, each in a browser of its own.
  test.describe.configure({ mode: "parallel" });
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name}: says so, keeps standing, and comes back`, async ({
      signedIn: page,
      hostile,
      context,
      watched,
    }) => {
      test.setTimeout(3_600_000);
      watched.allow(/Failed to load resource|net::ERR|unable to preload/);
      hostile.on("*", whole);
      await page.goto("/runs");
      await expectNoSkeleton(page);
      // Without a network there is no code for a page either: all of it has to be there.
      if (good.size === 0 || fault.offline) await learn(page);
      const wrong: string[] = [];
      for (const [at, address] of everyPageAt(2).entries()) {
        await begin(fault, context, hostile);
        await page.evaluate((to) => history.pushState({}, "", to), address);
        const rests = async () => (fault.waits ? true : await isAtRest(page));
        const hasRested = await expect
          .poll(rests)
          .toBe(true)
          .then(
            () => true,
            () => false,
          );
        if (!hasRested) wrong.push(`${address} never comes to rest: ${(await said(page)).slice(0, 200)}`);
        const words = await said(page);
        if (words === "" || fallen.test(words))
          wrong.push(`${address}: ${words.slice(0, 200) || "a white page"}`);
        await end(context, hostile);
        const back = async () => {
          // What does not say that it goes on by itself is tried again by whoever reads it.
          const again = page.getByRole("main").getByRole("button", { name: /^(Retry|Try again)/ });
          const isPromised = (await said(page)).includes("Retrying automatically");
          if (!isPromised && (await again.count()) > 0)
            await again
              .first()
              .click({ timeout: 1_000 })
              .catch(() => {});
          return (await isAtRest(page)) && (await said(page)).length >= (good.get(at) ?? "").length * 0.9;
        };
        const isBack = await expect
          .poll(back, { timeout: 60_000 })
          .toBe(true)
          .then(
            () => true,
            () => false,
          );
        if (!isBack) wrong.push(`${address} is not back: ${(await said(page)).slice(0, 300)}`);
        hostile.requests.length = 0;
      }
      process.stdout.write(`${name}: ${good.size} pages\n${wrong.join("\n")}\n`);
      expect(wrong.join("\n")).toBe("");
    });
  }
});
