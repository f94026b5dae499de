import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";

// What the watch of fixtures.ts must see: each of these tests is right when it fails.

test.fail("a request to another origin fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  await page.evaluate(() => {
    const image = document.createElement("img");
    image.src = "https://spy.example.test/x.png";
    document.body.append(image);
  });
});

test.fail("markup that becomes script fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  await page.evaluate(() => {
    try {
      document.body.innerHTML = "<img src=x onerror=alert(1)>";
    } catch {
      // Refused, as it should be; the browser also writes it to the console.
    }
  });
});

test.fail("an uncaught error fails a test", async ({ page }) => {
  await signInByKey(page);
  await page.evaluate(() => setTimeout(() => Promise.reject(new Error("nobody looked"))));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
