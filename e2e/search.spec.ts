import { expectAccessible, expectInLog, expectNoSidewaysScroll, signInByLink } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";

test("a word of a log is found everywhere, and its result lands on the very line", async ({
  page,
  service,
}) => {
  const id = await startRun(service, "flow_hello", { name: "Zenobia" });
  const { log } = await runEnds(service, id);
  const line = log.findIndex((one) => one.includes("[pause] finished in")) + 1;
  expect(line).toBeGreaterThan(0);

  const found = async (): Promise<readonly { id: string }[]> =>
    (await (await service.request("GET", "/search?q=finished&kinds=run")).json()).hits;
  await expect.poll(async () => (await found()).map((hit) => hit.id)).toContain(id);

  await signInByLink(page, service);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill("FINISHED in");
  await page.getByRole("option", { name: /^Search everywhere for “FINISHED in”/ }).click();
  await expect(page).toHaveURL(/\/search\?q=FINISHED(\+|%20)in$/);
  const hit = page.locator(`a[href="/runs/${id}?line=${line}"]`);
  await expect(hit).toBeVisible();
  await expect(hit.locator("mark")).toHaveText("finished in");
  await expect(page.getByText(/^Search finished/)).toBeAttached();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);

  await hit.click();
  await expect(page).toHaveURL(`${service.url}/runs/${id}?line=${line}`);
  await expectInLog(page, "finished in");
});
