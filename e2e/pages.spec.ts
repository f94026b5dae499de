import type { Page, Route } from "@playwright/test";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectRunState,
  fillSignIn,
  openSignedIn,
  setTheme,
  signInByKey,
  startFlow,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";
import type { Service } from "./service.ts";

/** Every page with something on it, and how one knows that it stands. */
const pages: Record<string, (page: Page, service: Service) => Promise<void>> = {
  "sign in": async (page) => {
    await page.goto("/sign-in");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  },
  "sign in, refused": async (page) => {
    await page.goto("/sign-in");
    await fillSignIn(page, { key: "wh_not_a_key_of_anybody_0000" });
    await expect(page.getByText(/does not know this key/)).toBeVisible();
  },
  overview: async (page, service) => {
    await runEnds(service, await startRun(service, "flow_broken"));
    await signInByKey(page);
    await expect(page.getByRole("region", { name: "Failing" })).toBeVisible();
  },
  "two runs compared": async (page, service) => {
    const good = await startRun(service, "flow_hello", { name: "Ada" });
    await runEnds(service, good);
    const bad = await startRun(service, "flow_broken");
    await runEnds(service, bad);
    await openSignedIn(page, `/runs/compare?a=${good}&b=${bad}`);
    await expect(page.getByText(/The runs diverge at/)).toBeVisible();
  },
  "runs list": async (page, service) => {
    await runEnds(service, await startRun(service, "flow_hello", { name: "Listed" }));
    await openSignedIn(page, "/runs");
    await expect(page.getByText("Listed").first()).toBeVisible();
  },
  "start a run": async (page) => {
    await openSignedIn(page, "/runs/new?flow=flow_hello");
    await expect(page.getByRole("textbox", { name: /^name/ })).toBeVisible();
  },
  "a run": async (page) => {
    await signInByKey(page);
    await startFlow(page, "flow_report");
    await expectRunState(page, "Done");
  },
  "agents list": async (page) => {
    await openSignedIn(page, "/agents");
    await expect(page.getByText("Scribe").first()).toBeVisible();
  },
  "an agent": async (page) => {
    await openSignedIn(page, "/agents/agent_scribe");
    await expect(page.getByRole("heading", { name: /Scribe/ }).first()).toBeVisible();
  },
  "a new conversation": async (page) => {
    await openSignedIn(page, "/agents/agent_scribe/conversations/new");
    await expect(page.getByRole("textbox").last()).toBeVisible();
  },
  "nothing is ever deleted": async (page) => {
    await openSignedIn(page, "/retention");
    await expect(page.getByRole("heading", { name: "Nothing is ever deleted" })).toBeVisible();
  },
  "no such run": async (page) => {
    await openSignedIn(page, "/runs/run_of_nobody");
    await expect(page.getByText("Run not found, or you have no access")).toBeVisible();
  },
  "no such page": async (page) => {
    await openSignedIn(page, "/nowhere");
    await expect(page.getByRole("main")).toContainText("There is no page at this address");
  },
};

for (const [name, open] of Object.entries(pages)) {
  test(`${name}: no findings of axe, in both themes, and nothing is wider than a phone's screen`, async ({
    page,
    service,
  }) => {
    await setTheme(page, "light");
    await open(page, service);
    await expectAccessible(page);
    await setTheme(page, "dark");
    await expectAccessible(page, "colours");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });
}

for (const [what, answer] of [
  ["is on its way for ever", () => {}],
  ["cannot be had", (route: Route) => route.abort()],
] as const)
  test(`the frame stands while a script that pages share ${what}`, async ({ page, watched }) => {
    watched.allow(
      /Failed to load resource|Failed to fetch dynamically imported module|unable to preload a part/i,
    );
    await signInByKey(page);
    await page.route(/\/assets\/shared-/, answer);
    await page.goto("/agents", { waitUntil: "commit" });
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  });

test("the frame is there before any script has come, for who has signed in, and nothing in it acts", async ({
  page,
}) => {
  await page.route(/\/assets\/.*\.js/, () => {});
  await page.goto("/runs", { waitUntil: "commit" });
  const shell = page.locator(".frame-shell");
  await shell.waitFor({ state: "attached" });
  await expect(shell.getByText("Artifacts")).toBeHidden();
  await page.unroute(/\/assets\/.*\.js/);
  await signInByKey(page);
  await page.route(/\/assets\/.*\.js/, () => {});
  await page.goto("/runs/new", { waitUntil: "commit" });
  await expect(shell.getByText("Artifacts")).toBeVisible();
  await expect(shell.locator("[href='/runs']")).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expect(shell.locator("[href='/agents']")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expect(page.getByRole("link")).toHaveCount(0);
});

test("a dialog stands in a window that a large zoom leaves low", async ({ page }) => {
  await openSignedIn(page, "/admin?tab=keys");
  // A laptop's at 200 %, one that is wide and low, and a phone's width at 400 %.
  for (const [width, height] of [
    [720, 450],
    [1440, 450],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: "New key" }).first().click();
    const name = page.getByRole("dialog", { name: "New API key" }).getByRole("textbox", { name: "Name" });
    await expect(name).toBeInViewport();
    await page.keyboard.press("Escape");
    await expect(name).toBeHidden();
  }
});

test("the foot of a rubric keeps its height on a phone while it saves", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, "/evaluations?tab=rubrics");
  await page.getByRole("button", { name: "New rubric" }).first().click();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("No promises");
  const foot = page.getByRole("region", { name: "Changes" });
  const save = foot.getByRole("button", { name: "Save rubric" });
  await expect(save).toBeEnabled();
  const height = (await foot.boundingBox())?.height;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/**", async (route) => {
    if (route.request().method() !== "GET") await released;
    await route.continue();
  });
  await save.click();
  await expect(save).toHaveAttribute("aria-busy", "true");
  expect((await foot.boundingBox())?.height).toBe(height);
  release();
  await expect(page.getByRole("heading", { name: "No promises" }).first()).toBeVisible();
});
