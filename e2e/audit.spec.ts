import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectFitsEverywhere, expectNoSidewaysScroll, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys, type Service } from "./service.ts";

const log = (page: Page) => page.getByRole("table", { name: "Audit log" });
const panel = (page: Page) => page.getByRole("region", { name: "The selected entry" });

/** An agent that was renamed, as somebody does it by a program. */
async function renamed(service: Service, name: string): Promise<string> {
  const made = await service.request("POST", "/agents", { name: `${name} of before` });
  const { agent } = (await made.json()) as { agent: { id: string } };
  const answer = await fetch(`${service.url}/api/v1/agents/${agent.id}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "x-auth-key": "user_ada",
      "content-type": "application/json",
    },
    body: JSON.stringify({ name, system_prompt: "canary-prompt" }),
  });
  expect(answer.status).toBe(200);
  return agent.id;
}

test("what was changed is seen with who did it, from the object's own menu, and stands in the address", async ({
  page,
  service,
}) => {
  await signInByKey(page);
  const id = await renamed(service, "Harbour clerk");
  await page.goto(`/agents/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Audit log" }).click();
  await expect(page).toHaveURL(new RegExp(`tab=audit.*object_id=${id}`));
  // It is sealed within a second, and the page reads again by itself.
  await expect(async () => {
    await page.reload();
    await expect(log(page).getByRole("link", { name: "Changed agent" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await log(page).getByRole("link", { name: "Changed agent" }).click();
  await expect(panel(page).locator("del")).toHaveText("Harbour clerk of before");
  await expect(panel(page).locator("ins")).toHaveText("Harbour clerk");
  await expect(panel(page)).toContainText("its value is not recorded");
  await expect(page.locator("body")).not.toContainText("canary-prompt");
  // The address has it all: the entry stays open.
  await page.reload();
  await expect(panel(page).getByText("127.0.0.1")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(panel(page).getByRole("heading", { level: 2 }).first()).toBeVisible();
});

test("what the filters show is saved as JSON Lines", async ({ page, service }) => {
  await signInByKey(page);
  const id = await renamed(service, "Exported clerk");
  await page.goto(`/admin?tab=audit&object=agent&object_id=${id}`);
  await expect(async () => {
    await page.reload();
    await expect(log(page).getByRole("link", { name: "Changed agent" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("audit-log.jsonl");
  const lines = (await readFile((await saved.path()) ?? "", "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).entry.action)).toEqual(["agent.update", "agent.create"]);
});

test("the audit log fits a phone and both themes, and is accessible", async ({ page, service }) => {
  await signInByKey(page);
  const id = await renamed(
    service,
    "A clerk whose name is longer than any phone is wide, by far and then some",
  );
  const changed = page.getByRole("link", { name: "Changed agent" });
  await page.goto(`/admin?tab=audit&object=agent&object_id=${id}`);
  // An entry is listed once it is sealed, a moment later.
  await expect(async () => {
    await page.reload();
    await expect(changed).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectFitsEverywhere(page, async () => {
    await page.goto(`/admin?tab=audit&object=agent&object_id=${id}`);
    await expect(changed).toBeVisible();
    await expectNoSidewaysScroll(page);
    await changed.click();
    await expect(panel(page)).toBeVisible();
  });
});
