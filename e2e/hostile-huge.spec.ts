import type { Page } from "@playwright/test";
import * as examples from "../src/testing/hostile/examples.ts";
import { expect, test } from "./hostile.ts";

const { messages, run, session } = examples;

test("C-09 huge and deep answers are shown in time and leave the page usable", async ({
  signedIn: page,
  hostile,
}) => {
  await page.addInitScript(noteLongTasks);
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
  await expect(page.getByText("the very end").first()).toBeVisible({ timeout: 60_000 });
  await expectUsable(page);
});

test("C-09 a conversation of 100,000 messages is read beside the page, which stays usable at each poll", async ({
  signedIn: page,
  hostile,
}) => {
  // Twice 20 MB, each asked for at the pace of big answers.
  test.slow();
  await page.addInitScript(noteLongTasks);
  const talk = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...messages[0],
      id: `m${at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      content: `message ${at} ${"and some more words of it ".repeat(4)}`,
    }));
  const many = talk(100_000);
  const isReadBeside = () => page.workers().some((worker) => worker.url().includes("/bodies-"));
  const answer = (list: readonly unknown[], state = "processing") =>
    hostile.on("GET /sessions/{id}", {
      body: JSON.stringify({ session: { ...session, state, messages: list } }),
      headers: { "content-type": "application/json" },
    });

  answer(talk(200));
  await page.goto("/agents/ag_1/conversations/int_2");
  await expect(page.getByText("message 199 ").first()).toBeVisible();
  expect(isReadBeside(), "an ordinary conversation starts no worker").toBe(false);

  answer(many);
  await expect(page.getByText("message 99999 ").first()).toBeVisible({ timeout: 90_000 });
  expect(isReadBeside(), "a very long one does").toBe(true);
  await expectUsable(page);
  await expectFewMounted(page);

  answer([...many, { ...messages[0], id: "end", content: "one more at the end" }], "completed");
  await expect(page.getByText("one more at the end").first()).toBeVisible({ timeout: 90_000 });
  await expectUsable(page);
  await expectFewMounted(page);
});

async function expectFewMounted(page: Page): Promise<void> {
  expect(await page.getByRole("region", { name: "Messages" }).getByRole("listitem").count()).toBeLessThan(61);
  expect(await page.locator("main *").count()).toBeLessThan(6_000);
}

declare global {
  interface Window {
    /** Kept by `noteLongTasks`, in ms. */
    longTasks?: number[];
  }
}

/** Keeps how long each task was that kept the page busy. */
function noteLongTasks(): void {
  const tasks: number[] = [];
  window.longTasks = tasks;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tasks.push(Math.round(entry.duration));
  }).observe({ type: "longtask", buffered: true });
}

/** A key is answered. How long the page was busy at most is told, not judged: the machine may be busy itself. */
async function expectUsable(page: Page): Promise<void> {
  const longest = await page.evaluate(() => Math.max(0, ...(window.longTasks ?? [])));
  test.info().annotations.push({ type: "longest task, ms", description: `${page.url()}: ${longest}` });
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}
