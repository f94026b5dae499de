import type { Page } from "@playwright/test";
import { pollHeader } from "../src/console/api/request.ts";
import * as examples from "../src/testing/hostile/examples.ts";
import type { HostileService } from "../src/testing/hostile/server.ts";
import { expectAccessible } from "./console.ts";
import { expect, navigateWithin, test, watchFor } from "./hostile.ts";
import { expectNoSkeleton } from "./settled.ts";

const { key, run, runSummary } = examples;

const moving = { ...run, state: "RUNNING", finished_ts: null, outputs: {} };
const inProgress = { ...runSummary, state: "RUNNING", finished_ts: null };

/** What a browser says of answers that a test makes on purpose. */
const browserWords = /Failed to load resource/;

async function startByJson(page: Page): Promise<void> {
  await page.goto("/runs/new?flow=flow_1&as=json");
  await page.getByRole("textbox", { name: /body|json/i }).fill('{"name": "Ines"}');
}

/** Opens a run that goes on, and waits for its log. */
async function openMovingRun(page: Page, hostile: HostileService): Promise<void> {
  hostile.on("GET /get_pl_run", { json: moving });
  await page.goto("/runs/run_1");
  await expect(page.getByText("a line of its own")).toBeVisible();
}

/** Waits until what lists and the frame open is fetched. */
async function partsFetched(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return ["/FilterMenu-", "/RefreshSetting-"].every((part) => loaded.some((name) => name.includes(part)));
  });
}

test("C-20 a page that goes offline keeps what it read, says since when, and comes back by itself", async ({
  signedIn: page,
  hostile,
  context,
  watched,
}) => {
  watched.allow(browserWords);
  await openMovingRun(page, hostile);
  await context.setOffline(true);
  await expect(page.getByText(/^Last updated at/)).toBeVisible();
  await expect(page.getByText("a line of its own")).toBeVisible();
  hostile.on("GET /get_pl_run", { json: { ...moving, log: [...moving.log, "written while it was away"] } });
  await context.setOffline(false);
  await expect(page.getByText("written while it was away")).toBeVisible();
  await expect(page.getByText(/^Last updated at/)).toHaveCount(0);
});

test("C-50 what was never opened opens offline, and what is not there yet says that it waits", async ({
  signedIn: page,
  hostile,
  context,
  watched,
}) => {
  watched.allow(browserWords);
  watched.allow("unable to preload");
  await page.setViewportSize({ width: 390, height: 844 });
  hostile.on("GET /runs", { json: { runs: [inProgress], next_cursor: null } });
  await page.goto("/runs");
  await partsFetched(page);
  await expect(page.getByRole("button", { name: "Started", exact: true })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Started", exact: true }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Navigation" }).click();
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  await drawer.getByRole("link", { name: "Artifacts" }).click();
  await expect(page.getByText("This page could not be loaded")).toBeVisible();
  // Drawn, and said to those who listen.
  await expect(
    page.getByText("What is not loaded yet opens when the connection is back.").first(),
  ).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Artifacts", level: 1 })).toBeVisible();
});

test("C-51 pointing at a link says nothing where its page cannot be had; following it does", async ({
  signedIn: page,
  hostile,
  context,
  watched,
}) => {
  watched.allow(browserWords);
  watched.allow("unable to preload");
  hostile.on("GET /runs", { json: { runs: [inProgress], next_cursor: null } });
  await page.goto("/runs");
  await partsFetched(page);
  const said = page.getByText("What is not loaded yet opens when the connection is back.");
  await context.setOffline(true);
  const link = page.getByRole("link", { name: "Artifacts", exact: true });
  await link.hover();
  await watchFor(page, 1_000);
  // At once: a message goes away by itself.
  expect(await said.count()).toBe(0);
  await link.click();
  await expect(said.first()).toBeVisible();
});

test("C-20 what is opened for the first time while offline comes with the network, without loading anew", async ({
  signedIn: page,
  hostile,
  context,
  watched,
}) => {
  watched.allow(browserWords);
  watched.allow("unable to preload");
  await openMovingRun(page, hostile);
  await expect(page.getByRole("button", { name: "Stop run" })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await context.setOffline(true);
  await page.keyboard.press("?");
  await expect(page.getByText(/^Last updated at/)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Artifacts", exact: true }).click();
  await expect(page.getByText("This page could not be loaded")).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Artifacts", level: 1 })).toBeVisible();
  await page.goBack();
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  await page.getByRole("button", { name: "Stop run" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("C-20 C-38 a start of which the answer is lost was sent once, says so, and keeps what was typed", async ({
  signedIn: page,
  hostile,
  watched,
}) => {
  watched.allow(browserWords);
  hostile.on("POST /start_pipeline", { cut: "before" });
  await startByJson(page);
  await page.getByRole("button", { name: "Start run" }).dblclick();
  await expect(page.getByText("The run may have started")).toBeVisible();
  await watchFor(page, 1_500);
  expect(hostile.count("POST /start_pipeline")).toBe(1);
  await expect(page.getByRole("textbox", { name: /body|json/i })).toHaveValue('{"name": "Ines"}');
  hostile.calm("POST /start_pipeline");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_1/);
  const sent = hostile.requests.filter((one) => one.route === "POST /start_pipeline");
  expect(sent).toHaveLength(2);
});

test("C-38 two clicks send one kill, and two Enters one message", async ({ signedIn: page, hostile }) => {
  hostile.on("GET /get_pl_run", { json: moving });
  await page.goto("/runs/run_1");
  await page.getByRole("button", { name: "Stop run" }).dblclick();
  await page.getByRole("dialog").getByRole("button", { name: "Stop run" }).dblclick();
  await expect(page.getByText("Stop requested").first()).toBeVisible();
  // It says so as it sends it, which is before it has come.
  await expect.poll(() => hostile.count("POST /kill_pipeline")).toBe(1);

  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  hostile.on("POST /start_agent", { after });
  await page.goto("/agents/ag_1/conversations/int_1");
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("Once only");
  await field.press("Enter");
  await field.press("Enter");
  await expect.poll(() => hostile.count("POST /start_agent")).toBe(1);
  release();
  await expect(field).toHaveValue("");
  await watchFor(page, 500);
  expect(hostile.count("POST /start_agent")).toBe(1);
  expect(hostile.count("POST /kill_pipeline")).toBe(1);
});

test("C-21 a key that ends stops all polls at once, asks one time, and keeps page and text", async ({
  signedIn: page,
  hostile,
}) => {
  hostile.on("GET /runs", {
    json: {
      runs: Array.from({ length: 20 }, (_, at) => ({ ...inProgress, run_id: `run_${at}` })),
      next_cursor: null,
    },
  });
  await page.goto("/agents/ag_1/conversations/int_1");
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("half a thought");
  // The message is the first that is refused: a poll that found out before would have put the question over the field.
  hostile.on("POST /start_agent", () => {
    hostile.key = "another-key-0123456789";
    hostile.calm("POST /start_agent");
    return { status: 401, json: { error: "Unauthorized" } };
  });
  await field.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("no longer accepted");
  await expect(dialog).toHaveCount(1);
  // By when they leave the browser: what had left before may still be on its way.
  let polls = 0;
  page.on("request", (request) => {
    if (request.headers()[pollHeader] !== undefined) polls += 1;
  });
  await watchFor(page, 2_500);
  expect(polls).toBe(0);
  await expectAccessible(page);
  await dialog.getByLabel(/^Key/).fill(hostile.key);
  await dialog.getByRole("button", { name: "Sign in and continue" }).click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => hostile.requests.filter((one) => one.body.includes("half a thought")).length)
    .toBeGreaterThan(0);
});

test("C-22 what was retired or is no longer shared explains itself, and the rest lives", async ({
  signedIn: page,
  hostile,
}) => {
  hostile.on("GET /agents/{id}", {
    status: 404,
    json: { error: { code: "not_found", message: "No such agent" } },
  });
  await page.goto("/agents/ag_1");
  await expect(page.getByRole("main")).toContainText(/agent/i);
  await expect(
    page
      .getByRole("main")
      .getByRole("link", { name: /agents/i })
      .first(),
  ).toBeVisible();
  await expectNoSkeleton(page);
  await expectAccessible(page);
  hostile.on("GET /get_pl_run", { status: 403, json: { error: "forbidden" } });
  await navigateWithin(page, "/runs/run_1");
  await expect(page.getByText("The run: no access with this key")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const refused = hostile.count("GET /get_pl_run");
  await watchFor(page, 1_500);
  expect(hostile.count("GET /get_pl_run")).toBe(refused);
  await page
    .getByRole("main")
    .getByRole("link", { name: "All runs" })
    .or(page.getByRole("link", { name: "Runs" }).first())
    .first()
    .click();
  await expect(page.getByText("Nightly report").first()).toBeVisible();
});

test("C-23 a message to an agent that has begun another turn stays in the field", async ({
  signedIn: page,
  hostile,
}) => {
  hostile.on("POST /start_agent", { status: 409, json: { error: "interaction_not_in_terminal_state" } });
  await page.goto("/agents/ag_1/conversations/int_1");
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("not now");
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "another turn" })).toBeVisible();
  await expect(field).toHaveValue("not now");
  await expect(field).toBeFocused();
  await watchFor(page, 1_000);
  expect(hostile.count("POST /start_agent")).toBe(1);
  await expectAccessible(page);
});

test("C-24 a service that asks to wait is left alone for as long, and then asked again", async ({
  signedIn: page,
  hostile,
}) => {
  await openMovingRun(page, hostile);
  hostile.on("GET /get_pl_run", {
    status: 429,
    json: { error: "too_many_requests" },
    headers: { "retry-after": "4" },
  });
  const told = hostile.count("GET /get_pl_run");
  await expect(page.getByRole("button", { name: /Slowed/ })).toBeVisible();
  hostile.on("GET /get_pl_run", { json: { ...moving, log: ["after the wait"] } });
  await expect(page.getByText("after the wait")).toBeVisible();
  // Judged by when they came, however long this test took to look.
  const came = hostile.requests.filter(({ route }) => route === "GET /get_pl_run").slice(told);
  const [asked, again] = came.map(({ at }) => at);
  expect((again ?? 0) - (asked ?? 0)).toBeGreaterThanOrEqual(4_000);
});

test("C-25 the key is nowhere but in the tab's own session: not in an address, a store, a copy or another request", async ({
  signedIn: page,
  hostile,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  context.on("request", (request) => said.push(`${request.url()} ${request.postData() ?? ""}`));
  await startByJson(page);
  await page.getByRole("button", { name: /curl/i }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("start_pipeline");
  const curls = [await copied()];
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_1/);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy as curl" }).click();
  await expect.poll(copied).toContain("get_pl_run");
  curls.push(await copied());
  await page.goto("/agents/ag_1/conversations/int_1");
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("Hello");
  await field.press("Enter");
  await expect(field).toHaveValue("");
  for (const curl of curls) {
    expect(curl).toContain("curl");
    expect(curl).toMatch(/\$\{?WHEELHOUSE_KEY/);
  }
  const kept = await page.evaluate(async () => {
    const all: string[] = [
      location.href,
      document.referrer,
      document.cookie,
      window.name,
      JSON.stringify(history.state),
    ];
    for (let at = 0; at < localStorage.length; at += 1)
      all.push(localStorage.getItem(localStorage.key(at) ?? "") ?? "");
    for (const entry of performance.getEntries()) all.push(entry.name);
    for (const { name } of await indexedDB.databases()) {
      const open = indexedDB.open(name ?? "");
      await new Promise((done) => open.addEventListener("success", done));
      for (const store of open.result.objectStoreNames) {
        const read = open.result.transaction(store).objectStore(store).getAll();
        await new Promise((done) => read.addEventListener("success", done));
        all.push(JSON.stringify(read.result));
      }
      open.result.close();
    }
    for (const name of await caches.keys()) all.push(name);
    for (const worker of await navigator.serviceWorker.getRegistrations()) all.push(worker.scope);
    return { all, markup: document.documentElement.outerHTML };
  });
  for (const text of [...said, ...curls, ...kept.all, kept.markup]) expect(text).not.toContain(key);
  expect(kept.all.join(" ")).toContain("run_1");
  for (const { query } of hostile.requests) expect(query.get("api_key")).toBeNull();
});
