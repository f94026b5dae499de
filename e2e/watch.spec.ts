import type { Page } from "@playwright/test";
import { signInByKey } from "./console.ts";
import { test } from "./fixtures.ts";

// What the watch of fixtures.ts must see: each of these tests is right when it fails.

/** Waits for what the browser says next. Where it says nothing, that is no failure: the test would be right by it. */
const nextWord = (page: Page, event: "console" | "pageerror") =>
  page.waitForEvent(event as "console", { timeout: 20_000 }).catch(() => null);

test.fail("a request to another origin fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  const said = nextWord(page, "console");
  await page.evaluate(() => {
    const image = document.createElement("img");
    image.src = "https://spy.example.test/x.png";
    document.body.append(image);
  });
  await said;
});

test.fail("markup that becomes script fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  const said = nextWord(page, "console");
  await page.evaluate(() => {
    try {
      document.body.innerHTML = "<img src=x onerror=alert(1)>";
    } catch {
      // Refused, as it should be; the browser also writes it to the console.
    }
  });
  await said;
});

test.fail("an uncaught error fails a test", async ({ page }) => {
  await signInByKey(page);
  const said = nextWord(page, "pageerror");
  await page.evaluate(() => setTimeout(() => Promise.reject(new Error("nobody looked"))));
  await said;
});
