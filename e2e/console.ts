import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { keys, type Service } from "./service.ts";

/** What a person does and sees, in their words. Every test of the console is written with these. */

/** Opens the console with a one-time link, as the person does who just started the service. */
export async function signInByLink(page: Page, service: Service): Promise<void> {
  await page.goto(await service.freshSignInLink());
  await expectSignedIn(page);
}

export interface KeySignIn {
  readonly connection?: string;
  readonly kind?: "Personal key" | "Team key" | "Access token";
  readonly key?: string;
  readonly user?: string;
  /** Where the console is, for a page without a base address of its own. */
  readonly at?: string;
}

/** Fills the sign-in form and leaves the button to the test. */
export async function fillSignIn(page: Page, sign: KeySignIn = {}): Promise<void> {
  if (sign.connection !== undefined)
    await page.getByRole("radio", { name: new RegExp(`^${sign.connection}`) }).check();
  if (sign.kind !== undefined)
    await page.getByRole("group", { name: "Sign in with" }).getByText(sign.kind).click();
  await page.getByLabel("Key", { exact: true }).fill(sign.key ?? keys.ada);
  await page.getByLabel("User id").fill(sign.user ?? "user_ada");
}

/** Signs in with a key on the sign-in page. */
export async function signInOnPage(page: Page, sign: KeySignIn = {}): Promise<void> {
  await page.goto(`${sign.at ?? ""}/sign-in`);
  await fillSignIn(page, sign);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expectSignedIn(page);
}

/** Where a tab keeps its sign-in. */
const kept = "wheelhouse:session";
/** What tabs of this process kept, by service and credential. */
const signIns = new Map<string, string>();

/** Signed in with a key, on the overview. */
export async function signInByKey(page: Page, sign: KeySignIn = {}): Promise<void> {
  await openSignedIn(page, `${sign.at ?? ""}/`, sign);
  await expectSignedIn(page);
}

/**
 * Opens an address, signed in with a key: on the sign-in page the first time, then by what that tab kept, with no page
 * before it.
 */
export async function openSignedIn(page: Page, address: string, sign: KeySignIn = {}): Promise<void> {
  await page.goto(`${sign.at ?? ""}/healthz`);
  const name = JSON.stringify([new URL(page.url()).origin, sign]);
  const known = signIns.get(name);
  if (known === undefined) {
    await signInOnPage(page, sign);
    const text = await page.evaluate((key) => sessionStorage.getItem(key), kept);
    if (text === null) throw new Error("the tab kept no sign-in");
    signIns.set(name, text);
  } else
    await page.evaluate(
      ([key, text]) =>
        sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), signedInAt: Date.now() })),
      [kept, known] as const,
    );
  await page.goto(address);
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toBeVisible();
}

/** Starts a flow from its page with these inputs. Ends on the run's page. @returns the run's id */
export async function startFlow(
  page: Page,
  flow: string,
  inputs: Readonly<Record<string, string>> = {},
): Promise<string> {
  await page.goto(`/runs/new?flow=${flow}`);
  for (const [name, value] of Object.entries(inputs))
    await page.getByRole("textbox", { name: new RegExp(`^${name}\\b`) }).fill(value);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/(?!new)[^/?]+/);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** The state in the header of a run's page: `Done`, `Running`, `Failed`, `Stopped`. */
export async function expectRunState(page: Page, state: string): Promise<void> {
  await expect(page.getByRole("main").getByText(state, { exact: true }).first()).toBeVisible();
}

/** A piece of text in the log of the run's page. */
export async function expectInLog(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByRole("region", { name: "Log" }).getByText(text).first()).toBeVisible();
}

/** An input or output of the run's page. */
export async function expectValue(page: Page, text: string | RegExp): Promise<void> {
  await expect(
    page.getByRole("complementary", { name: "Inputs and outputs" }).getByText(text).first(),
  ).toBeVisible();
}

/** A list's row by a piece of its text. */
export function row(page: Page, text: string | RegExp) {
  return page.getByRole("row").filter({ hasText: text });
}

export async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
}

/**
 * On a desk and a phone, in both themes: what the page shows then is no wider than the window, and accessible.
 * @param look resolves when it shows what it is to show
 */
export async function expectFitsEverywhere(page: Page, look: () => Promise<void>): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const theme of ["light", "dark"] as const) {
      await setTheme(page, theme);
      await look();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
}

/** Resolves when no colour is on its way to another and nothing fades in: what axe measures in between is no theme's. */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    await frame();
    await frame();
    // What turns for as long as something runs does not end.
    const isShort = (one: Animation) => Number(one.effect?.getComputedTiming().endTime ?? 0) < 2_000;
    const moving = () =>
      document.getAnimations().filter((one) => one.playState === "running" && isShort(one));
    while (moving().length > 0) await Promise.allSettled(moving().map((one) => one.finished));
  });
}

/**
 * Fails with a readable list when axe has findings, however small, on the page as it stands.
 * @param what its colours alone are asked for where all else was asked in the other theme
 */
export async function expectAccessible(page: Page, what: "all" | "colours" = "all"): Promise<void> {
  await settleColours(page);
  // What a page shows in a frame is somebody's file: axe needs no second page to put together what it finds in frames.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  if (what === "colours") axe.withRules(["color-contrast", "link-in-text-block"]);
  // A menu lies over the page, outside of its landmarks: its role tells what it is.
  if ((await page.getByRole("menu").count()) > 0) axe.disableRules("region");
  const { violations } = await axe.analyze();
  const findings = violations.map(
    (one) => `${one.id} (${one.impact}): ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
  expect(findings).toEqual([]);
}

/** Fails when the page scrolls sideways, or when something to read or to press is cut off at the screen's edge. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // What was made narrower a moment ago may still be drawn for the wide screen.
  await expect.poll(() => endsOutside(page)).toEqual([]);
}

/** What ends outside of the screen, in words. */
function endsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const screen = document.documentElement.clientWidth;
    const scrollsByItself = (element: Element | null): boolean => {
      if (element === null || element === document.body) return false;
      const { overflowX, textOverflow } = getComputedStyle(element);
      return (
        /auto|scroll/.test(overflowX) || textOverflow === "ellipsis" || scrollsByItself(element.parentElement)
      );
    };
    const found = document.documentElement.scrollWidth > screen ? ["the page itself"] : [];
    for (const element of document.querySelectorAll(
      "a, button, input, textarea, select, h1, h2, h3, p, li, td",
    )) {
      const { right, width, height } = element.getBoundingClientRect();
      // Things for screen readers alone are one pixel large.
      if (width <= 1 || height <= 1 || right <= screen + 1 || scrollsByItself(element)) continue;
      found.push(
        `${element.tagName.toLowerCase()} "${element.textContent?.slice(0, 40)}" ends at ${Math.round(right)}`,
      );
    }
    return found;
  });
}
