import type { Page } from "@playwright/test";
import * as examples from "../src/testing/hostile/examples.ts";
import { expect, test } from "./hostile.ts";

const { messages, run, session } = examples;

test("C-09 huge and deep answers are shown in time and leave the page usable", async ({
  signedIn: page,
  hostile,
}) => {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    (window as unknown as { longTasks: number[] }).longTasks = tasks;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(Math.round(entry.duration));
    }).observe({ type: "longtask", buffered: true });
  });
  const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  const outputs = `{"deep": ${deep}, "long": ${JSON.stringify("word ".repeat(2_000_000))}}`;
  hostile.on("GET /get_pl_run", {
    body: JSON.stringify({ ...run, outputs: null }).replace('"outputs":null', `"outputs":${outputs}`),
    headers: { "content-type": "application/json" },
  });
  await page.goto("/runs/run_1");
  await expect(page.getByText("a line of its own")).toBeVisible();
  await expect(page.getByText("deep").first()).toBeVisible();
  await expectUsable(page);

  const pathological = [
    "[".repeat(20_000),
    "*a_ ".repeat(10_000),
    `${"> ".repeat(5_000)}x`,
    "<".repeat(20_000),
  ];
  const talk = [
    ...pathological.map((text, at) => ({
      ...messages[1],
      id: `p${at}`,
      content: null,
      parts: [{ type: "text", text }],
    })),
    { ...messages[1], id: "big", content: null, parts: [{ type: "text", text: "word ".repeat(2_000_000) }] },
    { ...messages[0], id: "end", content: "the very end" },
  ];
  hostile.on("GET /sessions/{id}", { json: { session: { ...session, messages: talk } } });
  await page.goto("/agents/ag_1/conversations/int_1");
  await expect(page.getByText("the very end").first()).toBeVisible({ timeout: 15_000 });
  await expectUsable(page);

  const many = Array.from({ length: 100_000 }, (_, at) => ({
    ...messages[0],
    id: `m${at}`,
    content: `message ${at}`,
  }));
  hostile.on("GET /sessions/{id}", { json: { session: { ...session, messages: many } } });
  await page.goto("/agents/ag_1/conversations/int_2");
  await expect(page.getByText("message 99999").first()).toBeVisible({ timeout: 15_000 });
  expect(await page.locator("main *").count()).toBeLessThan(6_000);
  // Read and compared on the page's own thread: it stands still meanwhile, but it comes back.
  await expectUsable(page, 8_000);
});

/** A key is answered, and no task kept the page busy for longer than `most` ms on a machine that is busy itself. */
async function expectUsable(page: Page, most = 1_000): Promise<void> {
  const longest = await page.evaluate(() =>
    Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks),
  );
  test.info().annotations.push({ type: "longest task, ms", description: `${page.url()}: ${longest}` });
  expect(longest, page.url()).toBeLessThan(most);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
}
