import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";

test("a run is compared with the last good run of its flow in one click", async ({ page, service }) => {
  const good = await startRun(service, "flow_hello", { name: "Ada" });
  await runEnds(service, good);
  const later = await startRun(service, "flow_hello", { name: "Grace" });
  await runEnds(service, later);
  await signInByKey(page);
  await page.goto(`/runs/${later}`);
  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/compare\\?a=${good}&b=${later}$`));
  await expect(page.getByText("Both logs say the same.")).toBeVisible();
  await expect(page.getByText("One input differs: name.")).toBeVisible();
  const inputs = page.getByRole("region", { name: "Inputs" });
  await expect(inputs.getByRole("row", { name: "name Ada Grace" })).toBeVisible();

  await page.getByRole("switch", { name: "Even out times and ids" }).click();
  await expect(page.getByText(/\d+ lines differ/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("switch", { name: "Even out times and ids" })).not.toBeChecked();
});

test("two runs that did different things part at a line, and the line leads to its log", async ({
  page,
  service,
}) => {
  const good = await startRun(service, "flow_hello", { name: "Ada" });
  const bad = await startRun(service, "flow_broken");
  await runEnds(service, good);
  await runEnds(service, bad);
  await signInByKey(page);
  await page.goto(`/runs/compare?a=${good}&b=${bad}`);
  await expect(page.getByText(/They part at line 1/)).toBeVisible();
  await expect(page.getByText("From here on they do different things")).toBeVisible();
  await expect(page.getByText("B has none, it did not end as done")).toBeVisible();
  await page.getByTitle("Line 2 of B in its log").click();
  await expect(page).toHaveURL(new RegExp(`/runs/${bad}\\?line=2`));
});
