import type { Page, Request } from "@playwright/test";
import { pollHeader } from "../src/console/api/request.ts";
import * as examples from "../src/testing/hostile/examples.ts";
import { expectAccessible, expectSignedIn } from "./console.ts";
import { expect, navigateWithin, stranger, test, watchFor } from "./hostile.ts";
import { expectNoSkeleton } from "./settled.ts";

const { key, run, runSummary } = examples;

const moving = { ...run, state: "RUNNING", finished_ts: null, outputs: {} };
const inProgress = { ...runSummary, state: "RUNNING", finished_ts: null };

declare global {
  interface Window {
    /** Set by the test of hidden tabs: shows or hides the tab as the browser would. */
    showTab?: (to: DocumentVisibilityState) => void;
    /** Kept by `noteDepartures`. */
    departures?: Departure[];
  }
}

/** What a browser says of answers that a test makes on purpose. */
const browserWords = /Failed to load resource/;

test("C-28 a tab that is hidden for hours rests, and looks once when it is shown", async ({
  signedIn: page,
  hostile,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    let state: DocumentVisibilityState = "visible";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    Object.defineProperty(document, "hidden", { get: () => state === "hidden" });
    window.showTab = (to) => {
      state = to;
      document.dispatchEvent(new Event("visibilitychange"));
    };
  });
  const show = (to: "visible" | "hidden") => page.evaluate((state) => window.showTab?.(state), to);
  hostile.on("GET /runs", {
    json: {
      runs: Array.from({ length: 50 }, (_, at) => ({ ...inProgress, run_id: `run_${at}` })),
      next_cursor: null,
    },
  });
  await page.goto("/runs");
  await expect(page.getByText("Nightly report").first()).toBeVisible();
  await show("hidden");
  await page.clock.runFor(2_000);
  const before = hostile.count();
  for (let minute = 0; minute < 10; minute += 1) await page.clock.runFor(60_000);
  await watchFor(page, 200);
  expect(hostile.count() - before).toBeLessThanOrEqual(10);
  await page.clock.fastForward("08:00:00");
  const asleep = hostile.count();
  hostile.on("GET /runs", { json: { runs: [runSummary], next_cursor: null } });
  await show("visible");
  await page.clock.runFor(1_000);
  await expect.poll(() => hostile.count()).toBeGreaterThan(asleep);
  await page.clock.runFor(500);
  expect(hostile.count() - asleep).toBeLessThanOrEqual(5);
  await expect(page.getByRole("row").filter({ hasText: "Running" })).toHaveCount(0);
});

test("C-30 a browser that keeps nothing still signs in, starts a run and says that it forgets", async ({
  page,
  hostile,
}) => {
  await page.addInitScript(() => {
    const fail = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    Storage.prototype.setItem = fail;
    IDBFactory.prototype.open = fail;
  });
  await page.goto("/sign-in");
  await page.getByRole("radio", { name: /^Hostile/ }).check();
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.getByLabel("User id").fill(stranger.user);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expectSignedIn(page);
  await expect(page.getByText(/out of storage for the console/)).toBeVisible();
  await page.getByRole("button", { name: "Close this notice" }).click();
  await expect(page.getByText(/out of storage for the console/)).toBeHidden();
  await navigateWithin(page, "/runs/new?flow=flow_1&as=json");
  await page.getByRole("textbox", { name: /body|json/i }).fill("{}");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_1/);
  await expect(page.getByText("a line of its own")).toBeVisible();
  expect(hostile.count("POST /start_pipeline")).toBe(1);
});

test("C-30 broken entries in the browser's stores are passed over", async ({ signedIn: page }) => {
  await page.goto("/runs/run_1");
  await expect(page.getByText("a line of its own")).toBeVisible();
  await page.evaluate(async () => {
    for (let at = 0; at < localStorage.length; at += 1)
      localStorage.setItem(localStorage.key(at) ?? "", "{broken");
    for (const name of ["wheelhouse:theme", "wheelhouse:preferences"]) localStorage.setItem(name, "\u0000{");
    for (const { name } of await indexedDB.databases()) {
      const open = indexedDB.open(name ?? "");
      await new Promise((done) => open.addEventListener("success", done));
      for (const store of open.result.objectStoreNames) {
        const entries = open.result.transaction(store, "readwrite").objectStore(store);
        const keys = entries.getAllKeys();
        await new Promise((done) => keys.addEventListener("success", done));
        const odd = [null, 7, "text", [], { runId: 7, inputs: "none" }, { id: {}, knownAt: "never" }];
        keys.result.forEach((one, at) => void entries.put(odd[at % odd.length], one));
        for (const [at, value] of odd.entries()) entries.put(value, `run odd ${at}`);
      }
      open.result.close();
    }
  });
  for (const address of ["/runs", "/runs/run_1", "/runs/new", "/agents", "/agents/ag_1"]) {
    await page.goto(address);
    await expectNoSkeleton(page);
    await expect(page.getByRole("heading", { name: "This page could not be shown" })).toHaveCount(0);
  }
});

test("C-31 an answer that comes after the next page was opened changes nothing there", async ({
  signedIn: page,
  hostile,
}) => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  hostile.on("GET /get_pl_run", ({ query }) =>
    query.get("run_id") === "run_slow"
      ? { json: { ...run, run_id: "run_slow", log: ["late words"] }, after }
      : { json: { ...run, run_id: "run_2", log: ["early words"] } },
  );
  await page.goto("/runs/run_2");
  await expect(page.getByText("early words")).toBeVisible();
  await navigateWithin(page, "/runs/run_slow");
  await expect.poll(() => hostile.requests.some((one) => one.query.get("run_id") === "run_slow")).toBe(true);
  await navigateWithin(page, "/runs/run_2");
  release();
  await expect(page.getByText("early words")).toBeVisible();
  await watchFor(page, 500);
  await expect(page.getByText("late words")).toHaveCount(0);
});

test("C-31 a run that was seen to end does not run again", async ({ signedIn: page, hostile }) => {
  let reads = 0;
  hostile.on("GET /get_pl_run", () => {
    reads += 1;
    const now = new Date().toISOString();
    return { json: reads === 2 ? { ...run, finished_ts: now } : moving };
  });
  await page.goto("/runs/run_1");
  const state = page.getByRole("main").getByText("Done", { exact: true }).first();
  await expect(state).toBeVisible();
  await watchFor(page, 2_500);
  await expect(state).toBeVisible();
});

test("C-33 a part of an older console that is gone asks one time to load anew, and keeps the page", async ({
  signedIn: page,
  hostile,
  watched,
}) => {
  watched.allow(browserWords);
  watched.allow(/dynamically imported module|preload|Importing a module/);
  await page.goto("/agents/ag_1/conversations/int_1");
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("half a thought");
  // Gone until the document is loaded anew: what the console tries again before must not come and lie over the button.
  let isRenewed = false;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isRenewed = true;
  });
  await page.route(/\/assets\/.*\.js$/, (route) =>
    isRenewed ? route.continue() : route.fulfill({ status: 404, body: "gone" }),
  );
  await page.keyboard.press("Control+k");
  // It may ask already, and then lies over the link. What opens above the page may have been there; that page is not.
  await page.locator('a[href="/knowledge"]').first().dispatchEvent("click");
  await expect(page.getByRole("alertdialog", { name: "Reload the console" })).toHaveCount(1);
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await expectSignedIn(page);
  await page.goto("/agents/ag_1/conversations/int_1");
  await expect(field).toHaveValue("half a thought");
  expect(hostile.count("POST /start_agent")).toBe(0);
});

test("C-34 the console is not shown in a page of another origin, and messages to it are not listened to", async ({
  browser,
  signedIn: page,
  hostile,
  service,
}) => {
  const answer = await fetch(`${service.url}/runs`);
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  await page.goto("/runs");
  await expect(page.getByText("Nightly report").first()).toBeVisible();
  await page.evaluate(() => {
    for (const junk of [null, { type: "signed-out" }, "sign-out", { source: "react-devtools-bridge" }, 7])
      window.postMessage(junk, "*");
  });
  await watchFor(page, 300);
  await expect(page.getByText("Nightly report").first()).toBeVisible();

  const elsewhere = await browser.newContext();
  const framing = await elsewhere.newPage();
  await framing.route("http://frame.example.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe src="${service.url}/runs" name="console"></iframe>`,
    }),
  );
  await framing.goto("http://frame.example.test/");
  const frame = framing.frame("console");
  await expect.poll(() => frame?.url()).not.toBe(`${service.url}/runs`);
  await elsewhere.close();
  expect(hostile.count()).toBeGreaterThan(0);
});

test("C-36 five hundred running runs are polled at most five times in a second, and nothing else is asked twice", async ({
  signedIn: page,
  hostile,
  session: kept,
}) => {
  await page.addInitScript(noteDepartures, pollHeader);
  const ids = Array.from({ length: 500 }, (_, at) => `run_${at}`);
  hostile.on("GET /runs", {
    json: { runs: ids.map((run_id) => ({ ...inProgress, run_id })), next_cursor: null },
  });
  hostile.on("GET /get_pl_run", ({ query }) => ({ json: { ...moving, run_id: query.get("run_id") } }));
  await page.goto("/runs");
  await expect(page.getByText("Nightly report").first()).toBeVisible();
  await expectRate(page, 4_000);

  // The same where the service lists no runs and each is asked for by itself.
  const signedIn = JSON.parse(kept.kept ?? "{}") as { known: { named: string[] } };
  signedIn.known.named = ["capabilities"];
  hostile.on("GET /capabilities", { json: { service: "poor", version: "1", extensions: ["capabilities"] } });
  await page.goto("/runs/run_1");
  await expect(page.getByText("a line of its own")).toBeVisible();
  const copyRun = () =>
    page.evaluate(
      async ({ all, sign }) => {
        let copies = 0;
        sessionStorage.setItem("wheelhouse:session", sign);
        for (const { name } of await indexedDB.databases()) {
          const open = indexedDB.open(name ?? "");
          await new Promise((done) => open.addEventListener("success", done));
          const store = open.result.objectStoreNames[0] ?? "";
          const entries = open.result.transaction(store, "readwrite").objectStore(store);
          const keys = entries.getAllKeys();
          await new Promise((done) => keys.addEventListener("success", done));
          const first = keys.result.find((one) => String(one).startsWith("run "));
          if (first === undefined) continue;
          const read = entries.get(first);
          await new Promise((done) => read.addEventListener("success", done));
          for (const runId of all) {
            const id = `known-${runId}`;
            const copy = { ...read.result, id, runId, provenance: "started-here" };
            entries.put(copy, String(first).replace(read.result.id, id));
            copies += 1;
          }
          open.result.close();
        }
        return copies;
      },
      { all: ids.slice(2), sign: JSON.stringify(signedIn) },
    );
  // The page writes down the run that it shows a moment after it shows it.
  await expect.poll(copyRun).toBe(ids.length - 2);
  await page.goto("/runs");
  await expect(page.getByText(/does not list runs/).first()).toBeVisible();
  expect(await expectRate(page, 5_000)).toBeGreaterThan(3);
});

interface Departure {
  /** Milliseconds since 1970. */
  at: number;
  url: string;
  isPoll: boolean;
}

/** Notes when each call of the service leaves the console, for the network or for the worker that reads runs. */
function noteDepartures(pollHeader: string): void {
  const departures: Departure[] = [];
  window.departures = departures;
  const note = (url: string, headers: HeadersInit | undefined) => {
    if (!url.includes("/api/v1/")) return;
    departures.push({ at: Date.now(), url, isPoll: new Headers(headers).has(pollHeader) });
  };
  const { fetch } = window;
  window.fetch = (input, init) => {
    if (input instanceof Request) note(input.url, input.headers);
    else note(String(input), init?.headers);
    return fetch.call(window, input, init);
  };
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, options) {
    const request = message.input?.request;
    if (request) note(String(request.url), request.headers);
    postMessage.call(this, message, options as StructuredSerializeOptions);
  };
}

/**
 * Polls keep to their budget, and what a page reads when it opens is little and asked once, however late a busy machine comes
 * to it.
 * Counted by when they left the console: the browser comes to them in bunches then. @returns how many polls left
 */
async function expectRate(page: Page, ms: number): Promise<number> {
  await watchFor(page, 1_500);
  let sent = 0;
  // The console's own files are no calls of the service.
  const note = (request: Request) => {
    if (new URL(request.url()).pathname.includes("/api/v1/")) sent += 1;
  };
  const since = await page.evaluate(() => Date.now());
  page.on("request", note);
  await watchFor(page, ms);
  page.off("request", note);
  const departures = await page.evaluate(
    (from) => (window.departures ?? []).filter(({ at }) => at >= from),
    since,
  );
  const told = (some: Departure[]) => some.map(({ at, url }) => `${at - since} ms ${url}`);
  const polls = departures.filter(({ isPoll }) => isPoll);
  const crowds = polls.map(({ at: from }) => polls.filter(({ at }) => at >= from && at < from + 950));
  expect(crowds.filter((crowd) => crowd.length > 5).map(told)).toEqual([]);
  const asked = departures.filter(({ isPoll }) => !isPoll);
  expect(asked.length, told(asked).join("\n")).toBeLessThanOrEqual(5);
  expect(new Set(asked.map(({ url }) => url)).size, told(asked).join("\n")).toBe(asked.length);
  // Nothing went another way; four may have been under way before.
  expect(sent).toBeLessThanOrEqual(departures.length + 4);
  return polls.length;
}

const broken: [string, string][] = [
  ["/agents", "GET /agents"],
  ["/agents/ag_1", "GET /agents/{id}"],
  ["/agents/ag_1/conversations/int_1", "*"],
  ["/runs", "GET /runs"],
  ["/runs/run_1", "GET /get_pl_run"],
  ["/runs/new?flow=flow_1", "GET /get_inputs"],
];

test("C-40 every page that fails says so to a screen reader, with no findings of axe", async ({
  signedIn: page,
  hostile,
  watched,
}) => {
  watched.allow(browserWords);
  for (const [address, route] of broken) {
    hostile.on(route, { status: 500, json: { error: { code: "internal", message: "It broke" } } });
    await page.goto(address);
    await expect(page.getByRole("main").getByRole("alert").first(), address).toBeVisible();
    await expectAccessible(page);
    hostile.calm();
  }
});

test("C-40 the focus stays where it was when a try fails again", async ({
  signedIn: page,
  hostile,
  watched,
}) => {
  watched.allow(browserWords);
  hostile.on("GET /get_pl_run", { status: 500, json: { error: "internal" } });
  await page.goto("/runs/run_1");
  const again = page.getByRole("main").getByRole("button", { name: /^(Retry|Try again)$/ });
  await again.focus();
  const asked = hostile.count("GET /get_pl_run");
  await page.keyboard.press("Enter");
  await expect.poll(() => hostile.count("GET /get_pl_run")).toBeGreaterThan(asked);
  await expect(again).toBeFocused();
});
