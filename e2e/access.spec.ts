import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll, expectRunState, openSignedIn } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";

/** What moves now and does not end by itself at once. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => one.playState === "running" && Number(one.effect?.getComputedTiming().endTime) > 0)
      .map((one) => (one instanceof CSSAnimation ? one.animationName : one.id)),
  );

test.describe("without motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves, neither what runs nor the cursor of an editor, and the word says that it runs", async ({
    page,
    service,
  }) => {
    const id = await startRun(service, "flow_long");
    await openSignedIn(page, `/runs/${id}`);
    await expectRunState(page, "Running");
    await expect.poll(() => moving(page)).toEqual([]);
    await service.request("POST", "/kill_pipeline", { run_id: id, user_id: "user_ada" });
    await page.goto("/agents/agent_scribe/settings");
    await page.locator(".cm-content").first().click();
    await expect(page.locator(".cm-focused .cm-cursorLayer")).toBeAttached();
    await expect.poll(() => moving(page)).toEqual([]);
  });
});

test.describe("in a contrast theme", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("what is chosen, pressed, focused or a bar is seen, and the words on a ground of their own are read", async ({
    page,
    service,
  }) => {
    const id = await startRun(service, "flow_broken");
    await runEnds(service, id);
    await openSignedIn(page, `/runs?run=${id}`);
    const chosen = page.locator("tr[data-selected]");
    await expect(chosen).toHaveCSS("outline-style", "solid");
    await expect(page.getByRole("link", { name: "Runs", exact: true })).toHaveCSS("outline-style", "solid");
    const look = await page.evaluate(() => {
      const of = (selector: string) => {
        const found = document.querySelector(selector);
        if (found === null) throw new Error(`no ${selector}`);
        const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(found);
        return { color, backgroundColor, forcedColorAdjust };
      };
      return {
        page: getComputedStyle(document.body).backgroundColor,
        bar: of("tr[data-selected] .bg-state-failed-mark").backgroundColor,
        act: of(".bg-accent-solid.text-on-accent"),
      };
    });
    expect(look.bar).not.toBe("rgb(255, 255, 255)");
    expect(look.act.color).not.toBe(look.act.backgroundColor);
    // Else the browser lays a plate of the page's ground under the words.
    expect(look.act.forcedColorAdjust).toBe("none");
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus-visible")).toHaveCSS("outline-width", "3px");
    await expectAccessible(page);
  });
});

test.describe("at 400 % of a small window", () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test("a log can be read, the way to every page and the keys of a dialog be reached", async ({
    page,
    service,
  }) => {
    const id = await startRun(service, "flow_report");
    await runEnds(service, id);
    await openSignedIn(page, `/runs/${id}`);
    const log = page.getByRole("region", { name: "Log" });
    await expect(log.getByText("started").first()).toBeAttached();
    await expectNoSidewaysScroll(page);
    expect((await log.boundingBox())?.height).toBeGreaterThan(150);
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Knowledge" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Knowledge" })).toBeInViewport();
    await page.getByRole("dialog").getByRole("button", { name: "Settings" }).click();
    const entry = page.getByRole("menuitem", { name: "Keyboard" });
    await entry.click();
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Go to Knowledge").scrollIntoViewIfNeeded();
    await expect(sheet.getByText("Go to Knowledge")).toBeInViewport();
    await expectAccessible(page);
  });
});

test("the words of an axis give way to each other, however large the letters are", async ({ page }) => {
  await openSignedIn(page, "/agents/agent_scribe/evaluations");
  await expect(page.getByText("today", { exact: true })).toBeVisible();
  for (const [letters, width] of [
    [16, 1440],
    [40, 700],
    [56, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((px) => {
      document.documentElement.style.fontSize = `${px}px`;
    }, letters);
    await expect
      .poll(() => wordsOnAxis(page), `${letters} px at ${width}`)
      .toEqual({
        isEndThere: true,
        crossing: [],
      });
  }
});

test("a data point keeps its name beside a long value", async ({ page }) => {
  const result = {
    ...{
      evaluation_id: "eval_long",
      interaction_id: "int_long",
      session_id: "int_long",
      agent_id: "agent_scribe",
    },
    ...{ created_ts: new Date().toISOString(), status: "completed", grade: "pass", criteria_results: [] },
    data_results: [{ id: "data_1", name: "port_name", data_type: "string", value: "Longword".repeat(9) }],
    applied_tags: [],
  };
  await page.route(/\/agents\/agent_scribe\/evaluations\?/, (route) =>
    route.fulfill({ json: { evaluations: [result], next_cursor: null } }),
  );
  await openSignedIn(page, "/agents/agent_scribe/evaluations");
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const name = page.getByText("port_name", { exact: true });
    await expect(name).toBeVisible();
    expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth), `${width}`).toBe(0);
  }
});

/** Which words under the bars lie over another one, by what of them is drawn. */
function wordsOnAxis(page: Page) {
  return page.evaluate(() => {
    const axis = [...document.querySelectorAll("span")].find(
      (one) => one.textContent === "today",
    )?.parentElement;
    if (!axis) throw new Error("no axis");
    const clip = axis.getBoundingClientRect();
    const drawn = [...axis.children].flatMap((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const word = range.getBoundingClientRect();
      const cut = getComputedStyle(one).overflow === "hidden" ? one.getBoundingClientRect() : clip;
      const top = Math.max(word.top, cut.top, clip.top);
      const bottom = Math.min(word.bottom, cut.bottom, clip.bottom);
      const left = Math.max(word.left, cut.left, clip.left);
      const right = Math.min(word.right, cut.right, clip.right);
      return bottom - top > 2 && right - left > 2 ? [{ text: one.textContent ?? "", left, right }] : [];
    });
    const crossing = drawn.flatMap((one, at) =>
      drawn
        .slice(at + 1)
        .flatMap((other) =>
          one.left < other.right - 1 && other.left < one.right - 1 ? [`${one.text} and ${other.text}`] : [],
        ),
    );
    return { isEndThere: drawn.some(({ text }) => text === "today"), crossing };
  });
}
