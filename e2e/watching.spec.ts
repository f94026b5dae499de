import { readFile } from "node:fs/promises";
import { expectAccessible, expectRunState, signInByKey, startFlow } from "./console.ts";
import { expect, test } from "./fixtures.ts";

test("the tab tells of a watched run that ends elsewhere, and what this browser knows is taken along", async ({
  page,
  context,
  service,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        document.documentElement.dataset.told = `${document.documentElement.dataset.told ?? ""}[${title}]`;
      }
    };
  });
  await signInByKey(page);
  await page.getByRole("button", { name: "Settings" }).click();
  const choice = page.getByRole("menuitemcheckbox", { name: /^Notify me when/ });
  await choice.click();
  await expect(choice).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  const id = await startFlow(page, "flow_long");
  await expectRunState(page, "Running");
  await page.getByRole("link", { name: "Artifacts", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Artifacts", level: 1 })).toBeVisible();
  // Not from this browser: a kill of one's own is no news.
  await service.request("POST", "/kill_pipeline", { run_id: id, user_id: "user_ada" });
  await expect(page).toHaveTitle(/^\(1\) .*Artifacts/);
  await expect(page.locator("html")).toHaveAttribute("data-told", "[Take ten minutes · stopped]");
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "/icon-news.svg");
  await page.getByRole("navigation", { name: "Watching" }).getByRole("link").first().click();
  await expectRunState(page, "Stopped");
  await expect(page).toHaveTitle(/^stopped · Take ten minutes/);
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "/icon.svg");

  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Local history" }).click();
  const dialog = page.getByRole("dialog", { name: "Local history" });
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export" }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, "utf8")).toContain(`"runId":"${id}"`);
  await dialog.getByLabel("File to import").setInputFiles({
    name: "known.ndjson",
    mimeType: "application/x-ndjson",
    buffer: Buffer.concat([await readFile(file), Buffer.from('{"run": cut')]),
  });
  await expect(dialog.getByText(/0 records added, 0 updated, 1 already known/)).toBeVisible();
  await expect(dialog.getByText("Line 3 is not JSON, or cut off")).toBeVisible();
  await expectAccessible(page);
});
