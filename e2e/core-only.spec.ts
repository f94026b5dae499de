import { key, userId } from "../src/testing/core-only/data.ts";
import {
  expectAccessible,
  expectInLog,
  expectRunState,
  expectValue,
  openSignedIn,
  signInByKey,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";

/** A service that has the core of the interface and nothing else: no capabilities, no lists of runs, flows or teams. */
const stranger = { connection: "Stranger", key, user: userId };

test("somebody signs in to a service that has the core alone, and is told what it does not list", async ({
  page,
  coreOnly,
}) => {
  await signInByKey(page, stranger);
  await expect(page.getByRole("complementary", { name: "Sidebar" }).getByText(/· Stranger$/)).toBeVisible();
  await page.goto("/runs");
  await expect(page.getByText(/does not list runs/).first()).toBeVisible();
  expect(coreOnly.requests.length).toBeGreaterThan(0);
});

test("a flow of a core-only service is started by its id and followed to its end", async ({ page }) => {
  await openSignedIn(page, "/runs/new?flow=si_greet&as=json", stranger);
  const body = page.getByRole("textbox", { name: /body|json/i });
  await body.fill('{"name": "Ines"}');
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/(?!new)[^/?]+/);
  await expectInLog(page, "a line without any form at all");
  await expectRunState(page, "Done");
  await expectValue(page, /Hello, Ines/);
  await expectAccessible(page);

  await page.goto("/runs");
  await expect(page.getByRole("row").filter({ hasText: "Ines" }).first()).toBeVisible();
});

test("a state that no document names is shown as it came and still watched", async ({ page }) => {
  await openSignedIn(page, "/runs/new?flow=si_odd&as=json", stranger);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/(?!new)[^/?]+/);
  await expectRunState(page, "PAUSED");
  await expect(page.getByRole("button", { name: /Live/ })).toBeVisible();
});

test("a core-only service is asked once in a page load for what it does not have", async ({
  page,
  coreOnly,
}) => {
  await openSignedIn(page, "/runs", stranger);
  await expect(page.getByText(/does not list runs/).first()).toBeVisible();
  const refused = () =>
    coreOnly.requests.filter((request) => /GET \/(capabilities|runs|list_saved_items|teams)$/.test(request));
  const before = refused();
  await page.getByRole("link", { name: "Start a run" }).click();
  await expect(page.getByRole("heading", { name: "Start a run" })).toBeVisible();
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await expect(page.getByText(/does not list runs/).first()).toBeVisible();
  await page.getByRole("link", { name: "Start a run" }).click();
  await expect(page.getByRole("heading", { name: "Start a run" })).toBeVisible();
  const added = refused().slice(before.length);
  expect(added).toEqual([...new Set(added)]);
});
