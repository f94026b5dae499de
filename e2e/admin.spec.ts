import type { Browser, Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectSignedIn,
  openSignedIn,
  setTheme,
  signInByKey,
} from "./console.ts";
import { expect, test } from "./fixtures.ts";
import type { Service } from "./service.ts";

const people = (page: Page) => page.getByRole("table", { name: "People" });
const panel = (page: Page) => page.getByRole("region", { name: "The selected person" });
const secretIn = async (page: Page): Promise<string> =>
  (await page.locator("[data-secret]").textContent())?.trim() ?? "";

/** A person invited on the page, in a browser of their own. @returns their page, and the link that they used */
async function invited(page: Page, browser: Browser, service: Service, first: string) {
  await page.goto("/admin?tab=people");
  await page.getByRole("button", { name: "Invite" }).click();
  const form = page.getByRole("dialog", { name: "Invite a person" });
  await form.getByRole("textbox", { name: "E-mail" }).fill(`${first.toLowerCase()}@example.com`);
  await form.getByRole("textbox", { name: "First name" }).fill(first);
  await form.getByRole("textbox", { name: "Last name" }).fill("McNulty");
  await form.getByRole("button", { name: "Create invitation" }).click();
  await expect(page.getByRole("dialog", { name: `Sign-in link for ${first} McNulty` })).toBeVisible();
  const link = await secretIn(page);
  await page.getByRole("button", { name: "Done" }).click();
  const theirs = await (await browser.newContext({ baseURL: service.url })).newPage();
  await theirs.goto(link);
  await expectSignedIn(theirs);
  return { theirs, link };
}

test("who is invited signs in by the link, once, and is out with the next request when deactivated", async ({
  page,
  browser,
  service,
}) => {
  await signInByKey(page);
  const { theirs, link } = await invited(page, browser, service, "Kay");
  const third = await (await browser.newContext({ baseURL: service.url })).newPage();
  await third.goto(link);
  await expect(
    third.getByText(/not valid, was already used|no longer works|already used/i).first(),
  ).toBeVisible();

  // What she may not do is not offered: she is in no team, and looks after no one.
  await theirs.goto("/admin");
  await expect(theirs.getByText("You are in no team")).toBeVisible();
  await expect(theirs.getByRole("link", { name: "People" })).toHaveCount(0);
  await theirs.getByRole("link", { name: "Sessions" }).click();
  await expect(theirs.getByRole("row", { name: /This browser/ })).toBeVisible();

  await page.reload();
  await people(page).getByRole("link", { name: "Kay McNulty" }).click();
  await expect(panel(page).getByText("Active")).toBeVisible();
  await panel(page).getByRole("button", { name: "Deactivate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(panel(page).getByRole("button", { name: "Reactivate" })).toBeVisible();
  await theirs.goto("/runs");
  await expect(theirs.getByRole("dialog", { name: /no longer accepted/ })).toBeVisible();
});

test("a key is shown once, works, and is refused after it was revoked", async ({ page, service }) => {
  await openSignedIn(page, "/admin?tab=keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly backup");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("dialog", { name: "API key Nightly backup" })).toBeVisible();
  const key = await secretIn(page);
  await page.getByRole("button", { name: "Done" }).click();
  const ask = async () => (await service.request("GET", "/agents", undefined, key)).status;
  expect(await ask()).toBe(200);
  await page.reload();
  await expect(page.getByRole("row", { name: /Nightly backup/ })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(key);
  await page.getByRole("button", { name: "Revoke Nightly backup" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  // Behind the dialog no row has a role.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Nightly backup/ })).toHaveCount(0);
  expect(await ask()).toBe(401);
});

/** A team with an agent, a conversation, a run that goes on, a knowledge source, and a person in it who may only look. */
async function viewerOfTeam(service: Service) {
  const made = async (path: string, body: object) => {
    const answer = await service.request("POST", path, body);
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return await answer.json();
  };
  const name = `Crew ${Math.random().toString(36).slice(2, 8)}`;
  const { team } = await made("/admin/teams", { name });
  const { agent } = await made("/agents", { name: "Helmsman", team_id: team.id });
  const talk = { gummie_id: agent.id, message: "Hello", user_id: "user_ada", project_id: team.id };
  const { interaction_id: conversation } = await made("/start_agent", talk);
  const start = `/start_pipeline?user_id=user_ada&project_id=${team.id}&saved_item_id=flow_long`;
  const { run_id: run } = await made(start, {});
  const { source } = await made("/brain/sources", {
    ...{ name: "Charts", scope: "team", team_id: team.id, require_approval: true },
  });
  const { person, invitation } = await made("/admin/people", {
    ...{ email: `${team.id}@example.com`, first_name: "Lee", last_name: "Looks" },
    teams: [{ id: team.id, role: "viewer" }],
  });
  return {
    name,
    team: team.id,
    agent: agent.id,
    conversation,
    run,
    source: source.id,
    person: person.id,
    invitation,
  };
}

test("a viewer of a team sees what it has, and is told which role each act takes; as an editor they may", async ({
  page,
  service,
}) => {
  const world = await viewerOfTeam(service);
  const lacks = (role: string) => `You are Viewer in ${world.name}; this takes ${role}`;
  await page.goto(world.invitation.url);
  await expectSignedIn(page);

  await page.goto(`/agents/${world.agent}/settings`);
  await expect(page.getByText("You can view this agent, but not change it")).toBeVisible();
  await expect(page.getByText(`${lacks("Editor")}.`)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveCount(0);
  await page.goto(`/agents/${world.agent}`);
  await expect(page.getByRole("button", { name: "New conversation" })).toHaveAccessibleDescription(
    lacks("Operator"),
  );
  await expectAccessible(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByText(`Change, transfer, retire: ${lacks("Editor")}`)).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /Retire/ })).toHaveCount(0);

  await page.goto(`/agents/${world.agent}/conversations/new`);
  await expect(page.getByText(`Start a conversation: ${lacks("Operator")}.`)).toBeVisible();
  await page.goto(`/agents/${world.agent}/conversations/${world.conversation}`);
  await expect(page.getByText(`Reply: ${lacks("Operator")}.`)).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/agents/${world.agent}/evaluations?view=criteria`);
  await expect(page.getByText(`Change: ${lacks("Editor")}.`)).toBeVisible();

  await page.goto(`/runs/${world.run}`);
  const stop = page.getByRole("button", { name: "Stop run" });
  await expect(stop).toHaveAccessibleDescription(lacks("Operator"));
  await stop.click({ force: true });
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto(`/knowledge/${world.source}`);
  await expect(page.getByRole("button", { name: /^Approve/ })).toHaveAccessibleDescription(lacks("Editor"));
  await expect(page.getByRole("button", { name: /Refuse|Delete/ })).toHaveCount(0);
  await expectAccessible(page);

  // What they may do, and why, is said on its page too.
  await page.goto(`/admin?tab=permissions&object=agent&object_id=${world.agent}`);
  await expect(page.getByText("this takes Editor.", { exact: false }).first()).toBeVisible();

  const path = `/admin/teams/${world.team}/members/${world.person}`;
  expect((await service.request("PUT", path, { role: "editor" })).status).toBe(200);
  await page.goto(`/agents/${world.agent}/settings`);
  await expect(page.getByRole("textbox", { name: "Name" }).first()).toBeEditable();
  await page.goto(`/runs/${world.run}`);
  await page.getByRole("button", { name: "Stop run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop run" }).click();
  await expect(
    page.getByText("Stop requested").or(page.getByText("The run had already ended")).first(),
  ).toBeVisible();
});

test("the pages are accessible in both themes, fit a phone, and are led by keys alone", async ({ page }) => {
  await openSignedIn(page, "/admin?tab=people");
  await expect(people(page).getByRole("link").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(panel(page).getByRole("heading").first()).toBeVisible();
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin?tab=people");
  const tabs = page.getByRole("navigation", { name: "Administration" });
  await expect(tabs).toBeVisible();
  const names = await tabs.getByRole("link").allTextContents();
  expect(names).toHaveLength(9);
  for (const name of names) {
    // By keys alone: one tab after the other is reached and opened, and is in sight then.
    const tab = tabs.getByRole("link", { name, exact: true });
    for (
      let steps = 0;
      steps < 60 && !(await tab.evaluate((link) => link === document.activeElement));
      steps++
    )
      await page.keyboard.press("Tab");
    await expect(tab).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(tab).toHaveAttribute("aria-current", "page");
    await expect(tab).toBeInViewport({ ratio: 0.9 });
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  // What is open stays in sight where the row becomes narrower, as when a phone is turned.
  const last = tabs.getByRole("link").last();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(last).toBeInViewport({ ratio: 0.9 });
  }
});
