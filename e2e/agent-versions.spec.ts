import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll, setTheme, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys, type Service } from "./service.ts";

/** Changes an agent of Ada's as a program would. */
async function change(service: Service, agentId: string, body: object): Promise<void> {
  const answer = await fetch(`${service.url}/api/v1/agents/${agentId}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "content-type": "application/json",
      "x-auth-key": "user_ada",
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** Makes an agent on the page for it. @returns its id */
async function make(page: Page, name: string, prompt: string): Promise<string> {
  await page.goto("/agents");
  await page.getByRole("link", { name: "New agent" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "System prompt" }).fill(prompt);
  await page.getByRole("button", { name: "Create agent" }).dblclick();
  await page.waitForURL(/\/agents\/agent_[^/?]+$/);
  await expect(page.getByRole("heading", { name, level: 2 })).toBeVisible();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

const timeline = (page: Page) => page.getByRole("list", { name: "Versions" });
const comparison = (page: Page) => page.getByRole("region", { name: "Comparison" });

test("an agent is made, its versions are compared, and an earlier one comes back as a new one", async ({
  page,
  service,
}) => {
  await signInByKey(page);
  const id = await make(page, "Tide table", "First line\nNever promise payment.\nLast line");
  await change(service, id, { system_prompt: "First line\nNever promise a payment.\nLast line" });
  await change(service, id, { name: "Tide tables", tools: [{ type: "read_file" }], version: 2 });

  await page.goto(`/agents/${id}/versions`);
  await expect(timeline(page).getByRole("listitem")).toHaveText([
    /Version 3.*now.*name, tools, you/,
    /Version 2.*system prompt, you/,
    /Version 1.*created, you/,
  ]);
  await expect(comparison(page)).toContainText("2 fields differ");
  await timeline(page)
    .getByRole("link", { name: /Version 2/ })
    .click();
  await expect(page).toHaveURL(/to=2&from=1/);
  await expect(comparison(page).locator("ins", { hasText: "Never promise a payment." })).toBeVisible();
  await expectAccessible(page);

  // The address shows another person the same.
  await page.reload();
  await expect(comparison(page).locator("del", { hasText: "Never promise payment." })).toBeVisible();

  await comparison(page).getByLabel("To version").selectOption("3");
  await comparison(page).getByRole("button", { name: "Restore version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).dblclick();
  await expect(page.getByText("Version 1 restored as version 4").first()).toBeVisible();
  await expect(timeline(page).getByRole("listitem")).toHaveCount(4);
  await expect(page.getByRole("heading", { name: "Tide table", level: 2, exact: true })).toBeVisible();

  await setTheme(page, "dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/agents/${id}/versions?from=1&to=3&lines=true`);
  await expect(page.getByRole("region", { name: "All fields by line" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("an agent that is retired in one tab says so in the other, and is in no list any more", async ({
  page,
  context,
}) => {
  await signInByKey(page);
  const id = await make(page, "Short lived", "Be brief.");
  const other = await context.newPage();
  await other.goto(`/agents/${id}/settings`);
  await expect(other.getByText("Be brief.", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Retire agent…" }).click();
  const dialog = page.getByRole("dialog", { name: "Retire Short lived?" });
  await expect(dialog.getByText(/can’t be undone/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill("Short lived");
  await dialog.getByRole("button", { name: "Retire agent" }).dblclick();
  await expect(page.getByText("Short lived retired").first()).toBeVisible();
  await expect(page).toHaveURL(/\/agents$/);
  await expect(page.getByRole("row", { name: /Scribe/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Short lived/ })).toHaveCount(0);

  await expect(other.getByText(/This agent was retired at/)).toBeVisible();
  await expect(other.getByText("Be brief.", { exact: true })).toBeVisible();
  await expect(other.getByRole("link", { name: /New conversation/ })).toHaveCount(0);
});

test("an agent that is transferred to a team is its members', and the other tab says whose it is", async ({
  page,
  context,
  service,
}) => {
  const made = await service.request("POST", "/agents", { name: "Berth clerk", system_prompt: "Be brief." });
  const { agent }: { agent: { id: string } } = await made.json();
  const asGrace = () => service.request("GET", `/agents/${agent.id}`, undefined, keys.grace);
  expect((await asGrace()).status).toBe(404);
  await signInByKey(page);
  const other = await context.newPage();
  await other.goto(`/agents/${agent.id}/settings`);
  await expect(other.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Berth clerk");

  await page.goto(`/agents/${agent.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Transfer to a team…" }).click();
  const dialog = page.getByRole("dialog", { name: "Transfer Berth clerk to a team?" });
  await dialog.getByRole("combobox", { name: "Team" }).selectOption("Harbor (sample)");
  await expect(dialog.getByText(/Everyone in Harbor \(sample\) will be able to see it/)).toBeVisible();
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("Berth clerk");
  await dialog.getByRole("button", { name: "Transfer agent" }).dblclick();
  await expect(dialog).toBeHidden();

  await expect(other.getByText(/This agent was transferred to Harbor \(sample\) at/)).toBeVisible();
  await expect(other.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Berth clerk");
  const seen: { agent: { team_id: string; version: number } } = await (await asGrace()).json();
  expect(seen.agent).toMatchObject({ team_id: "team_harbor", version: 2 });
});
