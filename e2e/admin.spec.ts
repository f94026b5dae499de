import type { Browser, Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectSignedIn,
  setTheme,
  signInByKey,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";
import type { Service } from "./service.ts";

const people = (page: Page) => page.getByRole("table", { name: "People" });
const panel = (page: Page) => page.getByRole("region", { name: "The selected person" });
const secretIn = async (page: Page): Promise<string> =>
  (await page.locator("[data-secret]").textContent())?.trim() ?? "";

/** A person invited on the page, in a browser of their own. @returns their page, and the link that they used */
async function invited(page: Page, browser: Browser, service: Service, first: string) {
  await page.goto("/admin?tab=people");
  await page.getByRole("button", { name: "Invite" }).click();
  const form = page.getByRole("dialog", { name: "Invite a person" });
  await form.getByRole("textbox", { name: "E-mail" }).fill(`${first.toLowerCase()}@example.com`);
  await form.getByRole("textbox", { name: "First name" }).fill(first);
  await form.getByRole("textbox", { name: "Last name" }).fill("McNulty");
  await form.getByRole("button", { name: "Create invitation" }).click();
  await expect(page.getByRole("dialog", { name: `Sign-in link for ${first} McNulty` })).toBeVisible();
  const link = await secretIn(page);
  await page.getByRole("button", { name: "Done" }).click();
  const theirs = await (await browser.newContext({ baseURL: service.url })).newPage();
  await theirs.goto(link);
  await expectSignedIn(theirs);
  return { theirs, link };
}

test("who is invited signs in by the link, once, and is out with the next request when deactivated", async ({
  page,
  browser,
  service,
}) => {
  await signInByKey(page);
  const { theirs, link } = await invited(page, browser, service, "Kay");
  const third = await (await browser.newContext({ baseURL: service.url })).newPage();
  await third.goto(link);
  await expect(
    third.getByText(/not valid, was already used|no longer works|already used/i).first(),
  ).toBeVisible();

  // What she may not do is not offered: she is in no team, and looks after no one.
  await theirs.goto("/admin");
  await expect(theirs.getByText("You are in no team")).toBeVisible();
  await expect(theirs.getByRole("link", { name: "People" })).toHaveCount(0);
  await theirs.getByRole("link", { name: "Sessions" }).click();
  await expect(theirs.getByRole("row", { name: /This browser/ })).toBeVisible();

  await page.reload();
  await people(page).getByRole("link", { name: "Kay McNulty" }).click();
  await expect(panel(page).getByText("Active")).toBeVisible();
  await panel(page).getByRole("button", { name: "Deactivate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(panel(page).getByRole("button", { name: "Reactivate" })).toBeVisible();
  await theirs.goto("/runs");
  await expect(theirs.getByRole("dialog", { name: /no longer accepted/ })).toBeVisible();
});

test("a key is shown once, works, and is refused after it was revoked", async ({ page, service }) => {
  await signInByKey(page);
  await page.goto("/admin?tab=keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly backup");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("dialog", { name: "API key Nightly backup" })).toBeVisible();
  const key = await secretIn(page);
  await page.getByRole("button", { name: "Done" }).click();
  const ask = async () => (await service.request("GET", "/agents", undefined, key)).status;
  expect(await ask()).toBe(200);
  await page.reload();
  await expect(page.getByRole("row", { name: /Nightly backup/ })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(key);
  await page.getByRole("button", { name: "Revoke Nightly backup" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  // Behind the dialog no row has a role.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Nightly backup/ })).toHaveCount(0);
  expect(await ask()).toBe(401);
});

test("the pages are accessible in both themes, fit a phone, and are led by keys alone", async ({ page }) => {
  await signInByKey(page);
  await page.goto("/admin?tab=people");
  await expect(people(page).getByRole("link").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(panel(page).getByRole("heading").first()).toBeVisible();
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    await expectAccessible(page);
  }
  for (const tab of ["people", "teams", "keys", "sessions"]) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/admin?tab=${tab}`);
    await expect(page.getByRole("navigation", { name: "Administration" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});
