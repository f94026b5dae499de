import { openSignedIn, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";

test("a run is compared with the last good run of its flow in one click", async ({ page, service }) => {
  const good = await startRun(service, "flow_hello", { name: "Ada" });
  await runEnds(service, good);
  const later = await startRun(service, "flow_hello", { name: "Grace" });
  await runEnds(service, later);
  await openSignedIn(page, `/runs/${later}`);
  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/compare\\?a=${good}&b=${later}$`));
  await expect(page.getByText("The logs are identical.")).toBeVisible();
  await expect(page.getByText("One input differs: name.")).toBeVisible();
  const inputs = page.getByRole("region", { name: "Inputs" });
  await expect(inputs.getByRole("row", { name: "name Ada Grace" })).toBeVisible();

  await page.getByRole("switch", { name: "Ignore times and IDs" }).click();
  await expect(page.getByText(/\d+ lines differ/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("switch", { name: "Ignore times and IDs" })).not.toBeChecked();
});

test("long values and lines that differ are wrapped, not cut", async ({ page, service }) => {
  const name = (end: string) => `${"Marguerite ".repeat(40)}${end}`;
  const one = await startRun(service, "flow_hello", { name: name("41") });
  const other = await startRun(service, "flow_hello", { name: name("57") });
  await runEnds(service, one);
  await runEnds(service, other);
  await signInByKey(page);
  // Its own log does not say the name.
  await page.route(/\/get_pl_run\?/, async (route) => {
    const answer = await route.fetch();
    const run = await answer.json();
    run.log.push(`2026-11-20T08:15:04.123Z [Greeting] given ${name(run.run_id === one ? "41" : "57")}`);
    await route.fulfill({ json: run });
  });
  await page.goto(`/runs/compare?a=${one}&b=${other}`);
  const ends = [
    page.getByRole("region", { name: "Inputs" }).getByText("57", { exact: true }),
    page.getByRole("region", { name: "Lines of both logs" }).getByText("57", { exact: true }).first(),
  ];
  for (const end of ends) {
    await expect(end).toBeVisible();
    const box = await end.boundingBox();
    const room = await end.locator("xpath=ancestor::*[self::td or @data-index][1]").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0));
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((room?.y ?? 0) + (room?.height ?? 0) + 2);
  }
});

test("two runs that did different things part at a line, and the line leads to its log", async ({
  page,
  service,
}) => {
  const good = await startRun(service, "flow_hello", { name: "Ada" });
  const bad = await startRun(service, "flow_broken");
  await runEnds(service, good);
  await runEnds(service, bad);
  await openSignedIn(page, `/runs/compare?a=${good}&b=${bad}`);
  await expect(page.getByText(/The runs diverge at line 1/)).toBeVisible();
  await expect(page.getByText("The runs diverge here")).toBeVisible();
  await expect(page.getByText("B has none: it did not finish")).toBeVisible();
  await page.getByTitle("Line 2 of B in its log").click();
  await expect(page).toHaveURL(new RegExp(`/runs/${bad}\\?line=2`));
});
