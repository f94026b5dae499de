import { expectRunState, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { pressPair } from "./keys.ts";
import { runEnds, startRun } from "./runs.ts";

test("what failed stands on the first page with its cause, and leads to the run and to another try", async ({
  page,
  service,
}) => {
  await runEnds(service, await startRun(service, "flow_broken"));
  const second = await startRun(service, "flow_broken");
  await runEnds(service, second);
  const long = await startRun(service, "flow_long");
  await signInByKey(page);
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("heading", { name: /needs? you/ })).toBeVisible();
  const failing = page.getByRole("region", { name: "Failing" });
  await expect(failing.getByText(/\d+ runs of Fail/)).toBeVisible();
  // Also beside the runs of the last day the reason is read whole.
  await page.setViewportSize({ width: 1024, height: 768 });
  const reason = failing.locator("p", { hasText: "this sample always fails here" }).first();
  const isWhole = (p: HTMLElement) => p.scrollWidth <= p.clientWidth && p.scrollHeight <= p.clientHeight;
  await expect.poll(() => reason.evaluate(isWhole)).toBe(true);
  const now = page.getByRole("complementary", { name: "Now and in the last 24 hours" });
  await expect(now.getByRole("link", { name: "Take ten minutes" }).first()).toBeVisible();

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/runs/${second}$`));
  await expectRunState(page, "Failed");
  await pressPair(page, "g", "o");
  await failing
    .getByRole("link", { name: /^Run again/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/runs\/new\?flow=flow_broken&from=/);
  await service.request("POST", "/kill_pipeline", { run_id: long, user_id: "user_ada" });
});
