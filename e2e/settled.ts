import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { pollHeader } from "../src/console/api/request.ts";

/** The console's pages, as the router knows them; what leads to none of them leads nowhere. */
export const pagePaths = [
  ...readFileSync(resolve(import.meta.dirname, "../src/console/app/routeTree.gen.ts"), "utf8").matchAll(
    /^\s{2}"(\/[^"]*)": typeof/gm,
  ),
]
  .map(([, path = ""]) => path)
  .filter((path) => path !== "/$" && !path.startsWith("/_app"))
  .map((path) => new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\$\w+/g, "[^/]+")}/?$`));

/** What a page must never show: the words of a value that nobody turned into words. */
const unworded = /\bNaN\b|\bundefined\b|\[object |Invalid Date|\bInfinity\b/;

/** Fails while a skeleton, a spinner or the word "reading…" is still on the page after the time. */
export async function expectNoSkeleton(page: Page, seconds = 20): Promise<void> {
  // What the page brings before its scripts is no page yet, and has a heading too.
  await expect(page.locator(".frame-shell")).toHaveCount(0, { timeout: seconds * 1000 });
  await expect(page.locator("h1").first()).toBeAttached({ timeout: seconds * 1000 });
  await expect(
    page.locator(".appear-late, [aria-busy=true]"),
    `a skeleton is still there at ${page.url()}`,
  ).toHaveCount(0, { timeout: seconds * 1000 });
  await expect(page.getByText("reading…")).toHaveCount(0);
}

/** Fails where the page shows the words of a value that was never put into words, or nothing at all. */
export async function expectSound(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toHaveCount(0);
  const text = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) found.push(texts.currentNode.textContent ?? "");
    return found.join("\n");
  });
  expect(text.trim(), `a white page at ${page.url()}`).not.toBe("");
  expect(unworded.exec(text)?.[0], `said at ${page.url()}`).toBeUndefined();
}

/**
 * All that can be seen to change by a control: address, markup, values, checks, dialogs, scrolling, where the focus
 * went. Left out is what changes by being pointed at or by itself: tooltips, the focus on the control, ticking figures.
 */
async function fingerprint(control: Locator): Promise<string> {
  // Of all that are there: one that the click has taken away is not waited for.
  return control.evaluateAll(printOf).catch(() => "on the way to another page");
}

/** Where the page notes that the fingerprint has become another after a click, for however short a time. */
interface Noting extends Window {
  changedByClick?: { yes: boolean };
}

/** The same, and lets the page watch: "Copied" stands for a second and a half, in which nobody may get to look. */
const fingerprintAndWatch = (control: Locator): Promise<string> => control.evaluateAll(printOf, true);
const hasChanged = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as Noting).changedByClick?.yes ?? false).catch(() => false);

function printOf([control]: Element[], isWatched = false): string {
  const print = () => {
    const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea, select")];
    const values = fields.map((field) => `${field.value} ${field.checked}`).join("\n");
    const copy = document.body.cloneNode(true) as HTMLElement;
    for (const tooltip of copy.querySelectorAll("[role=tooltip]"))
      (tooltip.closest("[data-radix-popper-content-wrapper]") ?? tooltip).remove();
    for (const trigger of copy.querySelectorAll("[data-state=delayed-open], [data-state=instant-open]"))
      trigger.setAttribute("data-state", "closed");
    for (const described of copy.querySelectorAll("button[aria-describedby], a[aria-describedby]"))
      described.removeAttribute("aria-describedby");
    for (const ticking of copy.querySelectorAll("time, .tabular-nums, [aria-live]")) ticking.textContent = "";
    const focus = document.activeElement === control ? "" : (document.activeElement?.outerHTML ?? "");
    const scrolled = [...document.querySelectorAll("*")].reduce((sum, one) => sum + one.scrollTop, 0);
    return [
      location.href,
      copy.innerHTML,
      values,
      focus === document.body.outerHTML ? "" : focus,
      document.documentElement.className,
      scrolled,
    ].join("\n");
  };
  const before = print();
  if (isWatched) {
    const noted = { yes: false };
    (window as Noting).changedByClick = noted;
    const watch = () => {
      const watching = new MutationObserver(() => {
        if (print() === before) return;
        noted.yes = true;
        watching.disconnect();
      });
      watching.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    };
    document.addEventListener("click", watch, { capture: true, once: true });
  }
  return before;
}

/** What a page brings itself. The sidebar is the same everywhere: one page tries it for all. */
const own = ["main", "header", "aside:not([aria-label=Sidebar])"];
const kinds = ["button", "a[href]", "[role=tab]"];
const selectorOf = (places: readonly string[]) =>
  places.flatMap((place) => kinds.map((kind) => `${place} ${kind}`)).join(", ");

/** The controls that a person would try, named, each once; what is off must say why. */
async function controlsOf(
  page: Page,
  controls: string,
  elsewhere: string | null,
): Promise<{ name: string; at: number }[]> {
  return page.locator(controls).evaluateAll(
    (all, tried) =>
      all.flatMap((one, at) => {
        if (tried !== null && one.closest(tried) !== null) return [];
        const box = one.getBoundingClientRect();
        const isSeen = box.width > 0 && box.height > 0 && getComputedStyle(one).visibility !== "hidden";
        const name = (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 60);
        return isSeen ? [{ name, at }] : [];
      }),
    elsewhere,
  );
}

interface Settling {
  readonly seconds?: number;
  /** Controls that the test leaves alone, because they end what the next ones need. */
  readonly except?: RegExp;
  /** Parts of the page, as a selector, whose controls another page has tried. */
  readonly elsewhere?: string;
  /** The sidebar too. */
  readonly withSidebar?: boolean;
}

/**
 * The page stands: nothing is still loading, nothing unworded is shown, and each control that is on does something:
 * goes somewhere, opens something, changes the page, asks the service, copies or downloads. One that is off says why.
 */
export async function expectSettled(
  page: Page,
  { seconds = 20, except, elsewhere, withSidebar = false }: Settling = {},
): Promise<void> {
  await expectNoSkeleton(page, seconds);
  await expectSound(page);
  const controls = selectorOf(withSidebar ? [...own, "aside"] : own);
  const address = page.url();
  const tried = new Set<string>();
  const dead: string[] = [];
  for (const { name, at } of await controlsOf(page, controls, elsewhere ?? null)) {
    if (tried.has(name) || except?.test(name)) continue;
    tried.add(name);
    const control = page.locator(controls).nth(at);
    if (!(await isStill(control, name))) continue;
    const does = async () => (await doesSomething(page, control, name)) === null;
    const why = await doesSomething(page, control, name);
    if (why !== null && !((await closeWhatOpened(page)) && (await does()))) dead.push(`${name}: ${why}`);
    if (page.url() !== address) {
      await page.goto(address);
      await expectNoSkeleton(page, seconds);
    } else await closeWhatOpened(page);
  }
  expect(dead, `controls that do nothing at ${address}`).toEqual([]);
}

const over = "[role=menu], [role=dialog], [role=alertdialog], [role=listbox]";

/**
 * Closes a menu, dialog or message. One may come after the click that asked for it, and then lies over
 * the next control. @returns whether there was one
 */
async function closeWhatOpened(page: Page): Promise<boolean> {
  const wasOpen = (await page.locator(`${over}, [aria-label="Close message"]`).count()) > 0;
  await expect(async () => {
    const message = page.getByRole("button", { name: "Close message" });
    if (await message.isVisible()) await message.click({ timeout: 3_000 });
    await page.keyboard.press("Escape");
    await expect(page.locator(over)).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  return wasOpen;
}

/** Another control may have taken its place since the list was made, or none. */
async function isStill(control: Locator, name: string): Promise<boolean> {
  const now = await control.evaluateAll(([one]) =>
    one === undefined ? null : (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 60),
  );
  return now === name && (await control.isVisible());
}

/** What is to be known of a control before it is tried; null: it has gone. */
function factsOf([one]: Element[]) {
  if (one === undefined) return null;
  const told = document.getElementById(one.getAttribute("aria-describedby") ?? "");
  const link = one instanceof HTMLAnchorElement ? one : null;
  return {
    isOff: one.getAttribute("aria-disabled") === "true" || (one as HTMLButtonElement).disabled,
    why: told?.textContent?.trim() ?? one.getAttribute("title") ?? "",
    // The current tab, page or choice is where the person already is.
    isHere:
      one.getAttribute("aria-current") !== null ||
      one.getAttribute("aria-selected") === "true" ||
      one.getAttribute("aria-pressed") === "true" ||
      link?.href === location.href,
    leadsTo: link !== null && link.origin === location.origin ? link.pathname : null,
    opensAway: link?.target === "_blank",
  };
}

/** @returns null, or why it counts as dead. One that goes by itself before it can be tried is none to try. */
async function doesSomething(page: Page, control: Locator, name: string): Promise<string | null> {
  const facts = await control.evaluateAll(factsOf);
  if (facts === null) return null;
  if (facts.isOff) return facts.why === "" ? "it is off and does not say why" : null;
  if (facts.isHere) return null;
  // Following a link is the browser's own work: what can be wrong with one is where it leads.
  const { leadsTo } = facts;
  if (leadsTo !== null && !leadsTo.startsWith("/api/"))
    return pagePaths.some((path) => path.test(leadsTo)) ? null : `it leads to ${leadsTo}, which is no page`;
  if (facts.opensAway) return null;
  const address = page.url();
  let happened = false;
  let isClicked = false;
  const note = () => {
    happened = true;
  };
  // A poll comes by itself.
  const noteRequest = (request: Request) => {
    if (request.headers()[pollHeader] === undefined) happened = true;
  };
  page.on("request", noteRequest);
  for (const event of ["download", "popup", "dialog"] as const) page.on(event as "download", note);
  try {
    // Pointed at and focused first, so that only what the click does is told from it.
    await control.scrollIntoViewIfNeeded({ timeout: 15_000 });
    await control.focus({ timeout: 15_000 });
    const before = await fingerprintAndWatch(control);
    happened = false;
    // Longer than a message stands, which may have come over it a moment ago.
    await control.click({ timeout: 15_000 });
    isClicked = true;
    await expect
      .poll(
        async () =>
          happened ||
          page.url() !== address ||
          (await hasChanged(page)) ||
          (await fingerprint(control)) !== before,
        {
          timeout: 15_000,
          intervals: [20, 50, 100],
        },
      )
      .toBe(true);
    return null;
  } catch (error) {
    return isClicked || (await isStill(control, name)) ? String(error) : null;
  } finally {
    page.off("request", noteRequest);
    for (const event of ["download", "popup", "dialog"] as const) page.off(event as "download", note);
  }
}
