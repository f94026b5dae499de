import { test as base, expect, type Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll, signInByKey } from "./console.ts";
import { LogService, logServiceKey, logServiceUser, sampleLine, sampleLog } from "./log-service.ts";
import { Service } from "./service.ts";

const test = base.extend<object, { logs: LogService; service: Service }>({
  logs: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const logs = await LogService.start();
      await use(logs);
      await logs.stop();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ logs }, use) => {
      const service = await Service.start({ flags: ["--upstream", `big=${logs.url}`] });
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ service }, use) => use(service.url),
});

test.beforeEach(async ({ page }) =>
  signInByKey(page, { connection: "big", key: logServiceKey, user: logServiceUser }),
);

const log = (page: Page) => page.getByRole("region", { name: "Log" });
const number = (page: Page, line: number) =>
  page.getByRole("button", { name: `Link to line ${line}`, exact: true });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search the log" });
const follow = (page: Page) => page.getByRole("switch", { name: "Follow" });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/runs/${id}`);
  await expect(log(page)).toBeVisible();
}

test("a million lines open at their end, scroll to any place, and are searched to the last", async ({
  page,
  logs,
}) => {
  test.setTimeout(600_000);
  logs.set("million", sampleLog(1_000_000));
  await open(page, "million");
  await expect(number(page, 1_000_000)).toBeVisible({ timeout: 180_000 });
  expect(await log(page).getByRole("listitem").count()).toBeLessThan(150);

  await log(page).press("g");
  await expect(number(page, 1)).toBeVisible();
  await log(page).press("G");
  await expect(number(page, 1_000_000)).toBeVisible();

  await search(page).fill("page 777777 ");
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(number(page, 777_778)).toBeVisible();
  await search(page).fill("");

  await expect(page.getByText("Errors 1,000", { exact: true })).toBeVisible({ timeout: 180_000 });
  await page.getByText("Errors 1,000", { exact: true }).click();
  await log(page).press("g");
  await expect(number(page, 1_000)).toBeVisible();
  await expect(number(page, 2_000)).toBeVisible();
  await expect(number(page, 1_001)).toHaveCount(0);
});

test("following shows new lines; reading further up, they are counted and nothing moves", async ({
  page,
  logs,
}) => {
  logs.set("growing", sampleLog(500));
  await open(page, "growing");
  await expect(number(page, 500)).toBeVisible();
  logs.set("growing", sampleLog(520));
  await expect(number(page, 520)).toBeVisible();

  await log(page).hover();
  const scrolledTo = () => log(page).evaluate((box) => box.scrollTop);
  const end = await scrolledTo();
  await page.mouse.wheel(0, -3_000);
  // The way there may take several frames.
  await expect.poll(scrolledTo).toBe(end - 3_000);
  await expect(follow(page)).not.toBeChecked();
  const top = log(page).getByRole("listitem").first();
  const before = await top.textContent();
  logs.set("growing", sampleLog(750));
  await expect(page.getByRole("button", { name: "230 new lines" })).toBeVisible();
  expect(await top.textContent()).toBe(before);
  await page.getByRole("button", { name: "230 new lines" }).click();
  await expect(number(page, 750)).toBeVisible();
  await expect(follow(page)).toBeChecked();
});

test("a line of 8 MB is shown cut, and as a whole when asked for", async ({ page, logs }) => {
  logs.set("wide", [sampleLine(0), `${"x".repeat(7_999_990)}the end`, sampleLine(2)], "DONE");
  await open(page, "wide");
  await expect(number(page, 3)).toBeAttached();
  const all = page.getByRole("button", { name: "Show all 7,999,997 characters" });
  await all.click();
  const whole = page.getByRole("region", { name: "Full line" });
  await whole.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(whole.getByText("the end")).toBeVisible();
});

test("50,000 updates by carriage returns are one line, within a line or over many", async ({
  page,
  logs,
}) => {
  const at = "2026-11-20T08:15:04.123Z [Copy]";
  const updates = Array.from({ length: 50_000 }, (_, i) => `${i + 1} of 50000`);
  logs.set("within", [`${at} begins`, `${at} ${updates.join("\r")}`, `${at} finished`], "DONE");
  await open(page, "within");
  await expect(log(page).getByText("50000 of 50000")).toBeVisible();
  await expect(log(page).getByRole("listitem")).toHaveCount(3);

  const over = updates.map((one) => `${at} ${one}\r`);
  logs.set("over", [`${at} begins`, ...over, "2026-11-20T08:16:04.123Z [Next] finished"], "DONE");
  await open(page, "over");
  await expect(log(page).getByRole("listitem")).toHaveCount(3);
  await expect(number(page, 50_001)).toBeVisible();
  await expect(log(page).getByText("50000 of 50000")).toBeVisible();
});

test("a log that shrinks or is replaced is shown as it is now, and the page says so", async ({
  page,
  logs,
}) => {
  logs.set("changing", sampleLog(300));
  await open(page, "changing");
  await expect(number(page, 300)).toBeVisible();
  logs.set("changing", ["one", "two"]);
  await expect(page.getByText(/changed earlier lines/)).toBeVisible();
  await expect(log(page).getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByText(/changed earlier lines/)).toHaveCount(0);
});

test("search finds text and patterns, steps through hits by keys, and marks them at the edge", async ({
  page,
  logs,
}) => {
  logs.set("searched", sampleLog(5_000), "DONE");
  await open(page, "searched");
  await search(page).fill("failed");
  await expect(page.getByText("1 of 5", { exact: true })).toBeVisible();
  await expect(number(page, 1_000)).toBeVisible();
  await search(page).press("Enter");
  await expect(page.getByText("2 of 5", { exact: true })).toBeVisible();
  await expect(number(page, 2_000)).toBeVisible();
  await log(page).press("n");
  await expect(page.getByText("3 of 5", { exact: true })).toBeVisible();
  await log(page).press("N");
  await expect(page.getByText("2 of 5", { exact: true })).toBeVisible();
  expect((await page.locator('[data-mark="hits"]').getAttribute("d"))?.match(/M/g)).toHaveLength(5);

  await page.getByRole("button", { name: /Use regular expression/ }).click();
  await search(page).fill("page 49\\d\\d ");
  await expect(page.getByText("1 of 100", { exact: true })).toBeVisible();
  await search(page).fill("(");
  await expect(page.getByText("invalid pattern", { exact: true })).toBeVisible();
});

test("a pattern that never ends is ended, and the page goes on", async ({ page, logs }) => {
  logs.set("hostile", [...sampleLog(10), `${"a".repeat(5_000)}!`, sampleLine(11)], "DONE");
  await open(page, "hostile");
  await page.getByRole("button", { name: /Use regular expression/ }).click();
  await search(page).fill("^(a+)+$");
  await expect(page.getByText("took too long", { exact: true })).toBeVisible({ timeout: 20_000 });
  await search(page).fill("page 11 ");
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
});

test("lines are filtered by node and level", async ({ page, logs }) => {
  logs.set("filtered", sampleLog(4_000), "DONE");
  await open(page, "filtered");
  await page.getByText("Warnings 8", { exact: true }).click();
  await expect(log(page).getByRole("listitem")).toHaveCount(8);
  await page.getByText("All", { exact: true }).click();
  await page.getByRole("button", { name: "Nodes", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "OCR pages" }).click();
  await page.keyboard.press("Escape");
  // The line at the top has stayed there.
  await expect(number(page, 398)).toBeVisible();
  await log(page).press("g");
  await expect(number(page, 2)).toBeVisible();
  await expect(number(page, 6)).toBeVisible();
  await expect(number(page, 1)).toHaveCount(0);
});

test("lines are named by the address, chosen by shift and keys, and copied beyond the screen", async ({
  page,
  logs,
  context,
  service,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
  logs.set("named", sampleLog(3_000), "DONE");
  await page.goto("/runs/named?line=1200-1204");
  await expect(number(page, 1_202)).toBeVisible();
  await expect(page.getByText("Lines 1,200 to 1,204")).toBeVisible();
  await page.getByRole("button", { name: "Copy 5 lines" }).click();
  await expect.poll(() => copied(page)).toBe(sampleLog(5, 1_199).join("\n"));

  await number(page, 1_210).click();
  await expect(page).toHaveURL(/line=1210$/);
  await log(page).press("Home");
  await number(page, 3).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/line=3-1210$/);
  await log(page).press("Control+c");
  await expect.poll(() => copied(page)).toBe(sampleLog(1_208, 2).join("\n"));
  await log(page).press("Escape");
  await expect(page).not.toHaveURL(/line=/);

  await page.getByRole("button", { name: "Copy log" }).click();
  await expect.poll(async () => (await copied(page)).length).toBe(sampleLog(3_000).join("\n").length);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download log" }).click();
  expect((await saving).suggestedFilename()).toBe("named.log");
});

test("keys walk from line to line, and what is walked on is told", async ({ page, logs }) => {
  logs.set("walked", sampleLog(400), "DONE");
  await page.goto("/runs/walked?line=10");
  await expect(number(page, 10)).toBeVisible();
  await log(page).press("j");
  await log(page).press("j");
  await expect(page.getByRole("status").filter({ hasText: "Line 12:" })).toBeAttached();
  await log(page).press("k");
  await log(page).press("Shift+J");
  await expect(page).toHaveURL(/line=11-12$/);
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  await search(page).press("Escape");
  await expect(log(page)).toBeFocused();
});

test("times are since the start, local or UTC", async ({ page, logs }) => {
  logs.set("timed", ["2026-11-20T08:18:02.118Z [Read] ok"], "DONE");
  await open(page, "timed");
  await expect(log(page).getByText("3:02.118")).toBeVisible();
  for (const [choice, shown] of [
    ["Local time", "09:18:02.118"],
    ["UTC", "08:18:02.118"],
  ] as const) {
    await page.getByRole("button", { name: "View", exact: true }).click();
    await page.getByRole("menuitemradio", { name: choice }).click();
    await expect(log(page).getByText(shown)).toBeVisible();
  }
});

test("C-07: colour codes are colours; links, titles and clipboard writes of a log do nothing", async ({
  page,
  logs,
}) => {
  const link = "\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007";
  logs.set("coloured", [`\u001b[31mred\u001b[0m ${link}\u001b]52;c;ZXZpbA==\u0007 <img src=x>`], "DONE");
  await open(page, "coloured");
  await expect(log(page).getByText("here")).toBeVisible();
  await expect(log(page).getByRole("link")).toHaveCount(0);
  await expect(log(page).locator("img")).toHaveCount(0);
  await expect(log(page).locator(".text-ansi-red")).toHaveText("red");
});

test("axe finds nothing, and a phone has all of it without scrolling sideways", async ({ page, logs }) => {
  logs.set("narrow", sampleLog(2_000));
  await open(page, "narrow");
  await expect(number(page, 2_000)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(search(page)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Errors" }).click();
  await page.keyboard.press("Escape");
  await expect(log(page).getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
  // There is no column for the node: it stands before the text.
  const before = () =>
    log(page)
      .locator('[data-line="1000"] [data-node]')
      .evaluate((text) => getComputedStyle(text, "::before").content);
  expect(await before()).toBe(`"${/\[(.+?)\]/.exec(sampleLine(999))?.[1]}"`);
  await page.setViewportSize({ width: 1440, height: 900 });
  // The rows are written anew for it; one that is gone has no style.
  await expect.poll(before).toBe("none");
});
