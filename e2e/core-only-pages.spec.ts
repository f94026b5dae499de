import type { Page } from "@playwright/test";
import { key, userId } from "../src/testing/core-only/data.ts";
import { expectAccessible, expectNoSidewaysScroll, fillSignIn, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { expectSettled, expectSound } from "./settled.ts";

const stranger = { connection: "Stranger", key, user: userId };

/** Signs out, or leaves for a page of its own that has its own test. */
const endsTheVisit = /sign out|^Settings$/i;
/** The file of a place that is not ours is opened by a click alone: that is the person's own request. */
const opensElsewhere = /^Download$/;

/** What every page of an agent has: the agent's first page tries it for all of them. */
const ofTheAgent = "header, [aria-label='Agent pages']";

/** Starts a flow by its id. @returns the address of its page */
async function startRun(page: Page, flow: string): Promise<string> {
  await page.goto(`/runs/new?flow=${flow}&as=json`);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/(?!new)[^/?]+/);
  return new URL(page.url()).pathname;
}

/** Begins a conversation and waits for the end of its first turn. @returns the address of its page */
async function talk(page: Page, agentId: string, message: string): Promise<string> {
  await page.goto(`/agents/${agentId}/conversations/new`);
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill(message);
  await field.press("Enter");
  await page.waitForURL(/\/conversations\/(?!new)[^/?]+/);
  return new URL(page.url()).pathname;
}

/** Every page of the console as somebody has it who uses a service with the core alone. */
const pages: Record<string, (page: Page) => Promise<void>> = {
  overview: async (page) => {
    await page.goto("/");
  },
  "agents list": async (page) => {
    await page.goto("/agents");
    await expect(page.getByText("Claims triage desk").first()).toBeVisible();
  },
  "agents list with a selected agent of nulls": async (page) => {
    await page.goto("/agents?agent=ag_bare");
    const panel = page.getByRole("region", { name: "The selected agent" });
    await expect(panel.getByRole("link", { name: "Settings" })).toBeVisible();
  },
  "an agent of nulls": async (page) => {
    await page.goto("/agents/ag_bare");
    await expect(page.getByText("ag_bare").first()).toBeVisible();
  },
  "an agent's settings with unknown tools": async (page) => {
    await page.goto("/agents/ag_plain/settings");
    await expect(page.getByText("hologram").first()).toBeVisible();
  },
  "an agent that nobody has": async (page) => {
    await page.goto("/agents/ag_of_nobody");
    await expect(page.getByRole("main").getByText("ag_of_nobody").first()).toBeVisible();
  },
  "a new conversation": async (page) => {
    await page.goto("/agents/ag_plain/conversations/new");
    await expect(page.getByRole("textbox", { name: /^Message/ })).toBeVisible();
  },
  "a conversation, followed and continued": async (page) => {
    await talk(page, "ag_plain", "the first turn");
    await expect(page.getByText("You wrote").first()).toBeVisible();
    const field = page.getByRole("textbox", { name: /^Message/ });
    await field.fill("the second turn");
    await field.press("Enter");
    await expect(page.getByText("the second turn").first()).toBeVisible();
    await expect(page.getByText("You wrote")).toHaveCount(2);
    await expect(page.getByText("narrator").first()).toBeVisible();
    await expect(page.getByText("spy.example.test").first()).toBeVisible();
  },
  "a conversation of which a turn failed": async (page) => {
    await talk(page, "ag_bare", "please fail");
    await expect(page.getByText("The model did not answer.").first()).toBeVisible();
    const field = page.getByRole("textbox", { name: /^Message/ });
    await field.fill("once more");
    await field.press("Enter");
    // Also the first turn has an answer; the second has ended with its own.
    await expect(page.getByText("You wrote")).toHaveCount(2);
  },
  "a conversation that nobody has": async (page) => {
    await page.goto("/agents/ag_plain/conversations/int_of_nobody");
    await expect(page.getByRole("main").getByText("int_of_nobody").first()).toBeVisible();
  },
  "runs list": async (page) => {
    await startRun(page, "si_greet");
    await page.goto("/runs");
    await expect(page.getByRole("row").filter({ hasText: "si_greet" }).first()).toBeVisible();
  },
  "runs list with a selected run": async (page) => {
    const address = await startRun(page, "si_breaks");
    await expect(page.getByRole("main").getByText("Failed", { exact: true }).first()).toBeVisible();
    await page.goto(`/runs?run=${address.split("/").at(-1)}`);
    await expect(page.getByText("si_breaks").first()).toBeVisible();
  },
  "start a run": async (page) => {
    await page.goto("/runs/new");
    await expect(page.getByRole("button", { name: "Start by saved item id" })).toBeVisible();
  },
  "start a run by its id": async (page) => {
    await page.goto("/runs/new?flow=si_greet");
    await expect(page.getByRole("button", { name: "Start run" })).toBeVisible();
  },
  "a run that failed": async (page) => {
    await startRun(page, "si_breaks");
    await expect(page.getByRole("main").getByText("Failed", { exact: true }).first()).toBeVisible();
  },
  "a run that nobody has": async (page) => {
    await page.goto("/runs/run_of_nobody");
    await expect(page.getByText("Run not found, or you have no access")).toBeVisible();
  },
  "compare, nothing chosen": async (page) => {
    await page.goto("/runs/compare");
  },
  "compare two runs": async (page) => {
    const ids = [];
    for (const flow of ["si_greet", "si_breaks"]) ids.push((await startRun(page, flow)).split("/").at(-1));
    await page.goto(`/runs/compare?a=${ids[0]}&b=${ids[1]}`);
    await expect(page.getByRole("button", { name: "Change run A" })).toBeVisible();
  },
  "compare with a run that nobody has": async (page) => {
    const address = await startRun(page, "si_greet");
    await page.goto(`/runs/compare?a=run_of_nobody&b=${address.split("/").at(-1)}`);
  },
  "search across what this browser knows": async (page) => {
    await startRun(page, "si_greet");
    await expect(page.getByRole("main").getByText("Done", { exact: true }).first()).toBeVisible();
    await page.goto("/search?q=greet");
    await expect(page.getByText(/^Search finished/)).toBeAttached();
    await expect(page.locator("a[data-stop]").first()).toBeVisible();
  },
  "artifacts, of nobody yet": async (page) => {
    await page.goto("/artifacts");
    await expect(page.getByRole("link", { name: /Claims triage desk/ })).toBeVisible();
  },
  "artifacts of an agent, one of nulls": async (page) => {
    await page.goto("/artifacts?agent=ag_plain");
    await expect(page.getByRole("row").filter({ hasText: "claims-2026-11.csv" })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "art_2" })).toBeVisible();
  },
  "an agent's artifacts as pictures": async (page) => {
    await page.goto("/agents/ag_plain?tab=artifacts&view=grid");
    await expect(page.getByText("Stored elsewhere")).toBeAttached();
  },
  "an artifact that lies in another place": async (page) => {
    await page.goto("/artifacts/art_1");
    await expect(page.getByText(/^This file is stored at 127\.0\.0\.1/)).toBeVisible();
  },
  "an artifact of nulls": async (page) => {
    await page.goto("/artifacts/art_2?agent=ag_plain");
    await expect(page.getByText("This file has no address")).toBeVisible();
  },
  "an artifact that nobody has": async (page) => {
    await page.goto("/artifacts/art_of_nobody");
    await expect(page.getByText("Artifact not found, or you have no access")).toBeVisible();
  },
  "an agent's settings, all of them nulls": async (page) => {
    await page.goto("/agents/ag_bare/settings");
    await expect(page.getByRole("textbox", { name: /^Name/ })).toBeVisible();
  },
  "an agent's versions": async (page) => {
    await page.goto("/agents/ag_plain/versions");
    await expect(page.getByRole("main").getByText("14").first()).toBeVisible();
  },
  "a new agent, where there is none to be made": async (page) => {
    await page.goto("/agents/new");
  },
  "evaluations across agents, one of nulls": async (page) => {
    await page.goto("/evaluations");
    await expect(page.getByRole("row").filter({ hasText: "Claims triage desk" })).toContainText("65");
    await expect(page.getByRole("row").filter({ hasText: "ag_bare" })).toBeVisible();
  },
  "an agent's evaluations by values that no document names": async (page) => {
    await page.goto("/agents/ag_plain/evaluations?view=criteria");
    await expect(page.getByText("every_full_moon")).toBeAttached();
    await expectAccessible(page);
    await page.goto("/agents/ag_plain/evaluations?days=7");
    await expect(page.getByRole("region", { name: "Grades" }).getByText("splendid")).toBeVisible();
    await expect(page.getByText(/^By day of evaluation, calculated/)).toBeVisible();
  },
  "an agent's evaluations of nulls": async (page) => {
    await page.goto("/agents/ag_bare/evaluations?view=criteria");
    await expect(page.getByText("hologram")).toBeAttached();
    await expectSound(page);
    await page.goto("/agents/ag_bare/evaluations?view=table");
    await expect(page.getByText(/^Model unknown/)).toBeVisible();
  },
  "MCP servers, one of a strange kind in a strange state, one of nulls": async (page) => {
    await page.goto("/mcp");
    await expect(page.getByRole("row").filter({ hasText: "srv_bare_with" })).toBeVisible();
    await expectSound(page);
    await page.goto("/mcp?view=cards&server=srv_strange");
    await expect(page.getByText("entangled").first()).toBeVisible();
  },
  "a knowledge source of nulls, approved by its id": async (page) => {
    await page.goto("/knowledge/src_bare");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("Indexing has started.")).toBeVisible();
  },
  "shared artifacts, which nobody lists": async (page) => {
    await page.goto("/artifacts/shared");
  },
  "no such page": async (page) => {
    await page.goto("/nowhere");
    await expect(page.getByRole("main")).toContainText("There is no page at this address");
  },
};

/** One page of each kind, and those with the most controls; the others in `npm run test:long`. */
const always = new Set([
  "overview",
  "a conversation, followed and continued",
  "a run that failed",
  "artifacts of an agent, one of nulls",
  "MCP servers, one of a strange kind in a strange state, one of nulls",
]);

for (const [name, open] of Object.entries(pages)) {
  const title = `core only, ${name}: it stands, every control does something, axe finds nothing`;
  test(title, { tag: always.has(name) ? [] : "@long" }, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await signInByKey(page, stranger);
    await open(page);
    await expectAccessible(page);
    await expectSettled(page, {
      except: name.includes("another place") ? opensElsewhere : endsTheVisit,
      withSidebar: name === "overview",
      ...(name.startsWith("an agent's ") && { elsewhere: ofTheAgent }),
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });
}

test("core only, sign in: it stands and every control does something", async ({ page }) => {
  await page.goto("/sign-in");
  await fillSignIn(page, stranger);
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
  await expectSettled(page, { except: /^Sign in$/ });
});

test("core only: a run that goes on is killed, and says so until it has ended", async ({ page }) => {
  await signInByKey(page, stranger);
  await startRun(page, "si_slow");
  await page.getByRole("button", { name: "Stop run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop run" }).click();
  await expect(page.getByRole("main").getByText("Stopped", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop run" })).toHaveCount(0);
});

// What the check above must see: each of these is right when it fails.

test.fail("a button that does nothing fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("User id")).toBeVisible();
  await page.evaluate(() => {
    const dead = document.createElement("button");
    dead.textContent = "Dead";
    document.querySelector("main")?.append(dead);
  });
  await expectSettled(page);
});

test.fail("a skeleton that never ends fails a test", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("User id")).toBeVisible();
  await page.evaluate(() => {
    const endless = document.createElement("div");
    endless.className = "appear-late";
    document.querySelector("main")?.append(endless);
  });
  await expectSettled(page, { seconds: 1 });
});
