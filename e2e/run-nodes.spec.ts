import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectRunState,
  signInByKey,
  startFlow,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";

test.beforeEach(async ({ page }) => signInByKey(page));

test("the nodes of a failed run stand on a picture of its flow, and each opens to what went in and came out", async ({
  page,
}) => {
  await startFlow(page, "flow_broken");
  await expectRunState(page, "Failed");
  // It stands at its first error with the lines before it, and the banner leads there.
  const leads = page.getByRole("alert").getByRole("link", { name: /^First error: line \d+$/ });
  const first = Number(/\d+/.exec((await leads.textContent()) ?? "")?.[0]);
  await expect(page.getByText("first error", { exact: true })).toBeInViewport();
  await expect(page.getByRole("button", { name: `Link to line ${first - 1}`, exact: true })).toBeInViewport();
  await leads.click();
  await expect(page).toHaveURL(new RegExp(`line=${first}`));
  const picture = page.getByRole("navigation", { name: "Flow" });
  const failed = picture.getByRole("link", { name: /^failed/ });
  await expect(failed).toHaveCount(1);
  const id = (await failed.getAttribute("title")) ?? "";
  await failed.focus();
  await page.keyboard.press("Enter");
  const node = page.getByRole("region", { name: `Node ${id}` });
  await expect(node.getByRole("region", { name: `Inputs of ${id}` })).toBeVisible();
  await expect(node.getByText("Not known:")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  await expect(node).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("the button that expands the picture of a flow covers none of its nodes", async ({ page, service }) => {
  const run = await startFlow(page, "flow_berth");
  await expect(page.getByRole("navigation", { name: "Flow" }).getByRole("link")).toHaveCount(7);
  const covered = await page.getByRole("button", { name: "Expand the flow" }).evaluate((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const nodes = [...document.querySelectorAll('nav[aria-label="Flow"] a')];
    return nodes.flatMap((node) => {
      const at = node.getBoundingClientRect();
      const isCovered = at.left < right && at.right > left && at.top < bottom && at.bottom > top;
      return isCovered ? [node.textContent] : [];
    });
  });
  expect(covered).toEqual([]);
  await service.request("POST", "/kill_pipeline", { run_id: run, user_id: "user_ada" });
});
