import * as examples from "../src/testing/hostile/examples.ts";
import { expect, test } from "./hostile.ts";

const { messages, run, runSummary, session } = examples;

test("C-52 on paper a list is whole, light also where the page is dark, and without what leads elsewhere", async ({
  signedIn: page,
  hostile,
}) => {
  const runs = Array.from({ length: 90 }, (_, at) => ({ ...runSummary, run_id: `run_${at}` }));
  hostile.on("GET /runs", { json: { runs, next_cursor: null } });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/runs");
  const last = page.getByRole("row").last();
  await expect(last).toBeAttached();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("complementary", { name: "Sidebar" })).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  const paper = await page.evaluate(() => ({
    isLight: getComputedStyle(document.documentElement).colorScheme === "light",
    height: document.documentElement.scrollHeight,
    end: document.querySelector("[data-row=run_89]")?.getBoundingClientRect().bottom ?? 0,
  }));
  expect(paper.isLight).toBe(true);
  expect(paper.end).toBeGreaterThan(2_000);
  expect(paper.height).toBeGreaterThanOrEqual(Math.floor(paper.end));
});

test("C-52 on paper a run has the lines of its log that were on the screen, and no sheets of nothing", async ({
  signedIn: page,
  hostile,
}) => {
  const log = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  hostile.on("GET /get_pl_run", { json: { ...run, log } });
  await page.goto("/runs/run_1");
  await expect(page.getByText("line 3", { exact: true })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("line 3", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_000);
});

test("C-52 on paper a conversation has all that was said, one under the other, also what was not on the screen", async ({
  signedIn: page,
  hostile,
}) => {
  const said = Array.from({ length: 120 }, (_, at) => ({
    ...messages[0],
    id: `m${at}`,
    content: `Question ${at}, please.`,
  }));
  hostile.on("GET /sessions/{id}", { json: { session: { ...session, messages: said } } });
  await page.goto("/agents/ag_1/conversations/int_1");
  await expect(page.getByText("Question 119, please.", { exact: true }).last()).toBeVisible();
  await expect(page.getByText("Question 3, please.", { exact: true })).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  const parts = page.getByRole("region", { name: "Messages" }).locator("li");
  await expect(parts).toHaveCount(120);
  const places = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  expect(places.every(({ top }, at) => at === 0 || top >= (places[at - 1]?.bottom ?? 0) - 1)).toBe(true);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeGreaterThanOrEqual(Math.floor(places.at(-1)?.bottom ?? Number.POSITIVE_INFINITY));
  await page.emulateMedia({ media: "screen" });
  await expect(page.getByText("Question 3, please.", { exact: true })).toHaveCount(0);
  await expect(page.getByText("Question 119, please.", { exact: true }).last()).toBeVisible();
});

test("the facts of a run begin at one edge on each line, with no dot before them, also on paper", async ({
  signedIn: page,
  hostile,
}) => {
  const run_id = `run_${"1".repeat(60)}`;
  hostile.on("GET /get_pl_run", { json: { ...run, run_id } });
  await page.setViewportSize({ width: 700, height: 844 });
  await page.goto(`/runs/${run_id}`);
  await expect(page.getByText(/^ended/)).toBeVisible();
  const title = page.getByRole("heading", { level: 2 }).first();
  /** How far from the title's edge the words of each line begin. */
  const edges = () =>
    title.evaluate((heading) => {
      const edge = heading.getBoundingClientRect().left;
      const lefts = [...(heading.parentElement?.nextElementSibling?.children ?? [])].map((fact) => {
        const words = document.createRange();
        words.selectNodeContents(fact);
        return Math.round((words.getClientRects()[0]?.left ?? Number.NaN) - edge);
      });
      return lefts.filter((left, at) => at === 0 || left <= (lefts[at - 1] ?? 0));
    });
  expect((await edges()).length).toBeGreaterThan(1);
  expect(new Set(await edges())).toEqual(new Set([0]));
  await page.emulateMedia({ media: "print" });
  expect(new Set(await edges())).toEqual(new Set([0]));
});
