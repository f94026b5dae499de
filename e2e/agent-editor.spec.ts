import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import { expectAccessible, expectNoSidewaysScroll, openSignedIn, setTheme, signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { keys, type Service } from "./service.ts";

const prompt = [
  "You keep the calendar of a small harbor.",
  "Work out dates with the almanac, never by heart.",
  "Never promise a berth.",
  "Name the weekday with every date.",
];
const almanac = { type: "gumcp_server", server_id: "almanac" };
const flow = (id: string) => ({ type: "flow", saved_item_id: id });

interface Answer {
  readonly agent: Readonly<Record<string, unknown>> & { readonly version: number };
}

async function agentRequest(
  service: Service,
  method: string,
  agentId: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(`${service.url}/api/v1/agents/${agentId}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "x-auth-key": "user_ada",
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json() as Promise<Answer>;
}

const editor = (page: Page) => page.getByRole("textbox", { name: "System prompt" });

async function openSettings(page: Page, agentId: string): Promise<void> {
  await page.goto(`/agents/${agentId}/settings`);
  await expect(editor(page)).toContainText("harbor");
}

/** Writes at the end of a line of the prompt. */
async function writeAtEndOf(page: Page, line: string, text: string): Promise<void> {
  await editor(page).getByText(line, { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

test("C-23, C-29: two people change the same paragraph and different tools, and the agent has the work of both", async ({
  page,
  browser,
  service,
}) => {
  const before = await agentRequest(service, "PATCH", "agent_clerk", {
    name: "Clerk",
    description: "Keeps dates.",
    system_prompt: prompt.join("\n"),
    tools: [almanac, flow("flow_hello"), { type: "write_file" }],
  });
  const { version } = before.agent;
  await signInByKey(page);
  await openSettings(page, "agent_clerk");
  await writeAtEndOf(page, "Never promise a berth.", " The office confirms within two days.");
  await page.getByRole("button", { name: "Flow: Say hello" }).click();
  await page.getByRole("button", { name: /^Remove Flow: / }).click();

  const other = await (await browser.newContext({ baseURL: service.url })).newPage();
  await signInByKey(other, { key: keys.grace, user: "user_grace" });
  await openSettings(other, "agent_clerk");
  await writeAtEndOf(other, "Never promise a berth.", " Ask the harbor master.");
  await writeAtEndOf(other, "You keep the calendar of a small harbor.", " Write dates out.");
  await other.getByRole("button", { name: "Add tools" }).click();
  await other.getByRole("option", { name: /report/i }).click();
  await other.keyboard.press("Escape");
  await other.getByRole("button", { name: `Save as version ${version + 1}` }).click();
  await expect(other.getByText(`Saved as version ${version + 1}.`)).toBeVisible();
  await other.context().close();

  // Whether the poll or the save finds out first, nothing is overwritten.
  await page.getByRole("button", { name: /^(Save as version|Merge, then save)/ }).click();
  const save = page.getByRole("button", { name: `Save as version ${version + 2}` });
  await expect(page.getByText("1 conflict left.")).toBeVisible();
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  // Who saved it, and when, is not cut where there is little room.
  await page.setViewportSize({ width: 1024, height: 768 });
  const about = page.getByRole("region", { name: "Theirs" }).getByText(`version ${version + 1}`);
  expect(await about.evaluate((words) => words.scrollWidth <= words.clientWidth)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Use both, yours first" }).click();
  await save.click();
  await expect(page.getByText(`Saved as version ${version + 2}.`)).toBeVisible();

  const after = await agentRequest(service, "GET", "agent_clerk");
  expect(after.agent).toEqual({
    ...before.agent,
    version: version + 2,
    system_prompt: [
      "You keep the calendar of a small harbor. Write dates out.",
      "Work out dates with the almanac, never by heart.",
      "Never promise a berth. The office confirms within two days.",
      "Never promise a berth. Ask the harbor master.",
      "Name the weekday with every date.",
    ].join("\n"),
    tools: [almanac, { type: "write_file" }, flow("flow_report")],
  });
});

test("a draft survives a killed browser, with its age", async ({ service }) => {
  await agentRequest(service, "PATCH", "agent_scribe", { system_prompt: prompt.join("\n") });
  const profile = mkdtempSync(join(tmpdir(), "wheelhouse-profile-"));
  const start = async () => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: ensureChromium(),
      args: chromiumFlags,
      baseURL: service.url,
      locale: "en-GB",
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await signInByKey(page);
    return { context, page };
  };
  try {
    const first = await start();
    await openSettings(first.page, "agent_scribe");
    await writeAtEndOf(first.page, "Never promise a berth.", " Not even a small one.");
    await expect(first.page.getByText(/saved on this device/)).toBeVisible();
    killBrowser(profile);
    await first.context.close().catch(() => {
      // It is gone already.
    });
    const second = await start();
    await openSettings(second.page, "agent_scribe");
    await expect(editor(second.page)).toContainText("Never promise a berth. Not even a small one.");
    await expect(second.page.getByText(/^Draft from/)).toBeVisible();
    await expect(second.page.getByText("1 field edited.")).toBeVisible();
    await second.context.close();
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
});

test("the settings are accessible in both themes, and fit a phone", async ({ page }) => {
  await setTheme(page, "light");
  await openSignedIn(page, "/agents/agent_analyst/settings");
  await expect(editor(page)).toContainText("tables");
  await expectAccessible(page);
  await setTheme(page, "dark");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  // Tab indents in the editor; Escape and then Tab leaves it.
  await editor(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
});

test("on a phone the question before leaving shows all its answers", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInByKey(page);
  await openSettings(page, "agent_clerk");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Clerk, renamed");
  await page.getByRole("link", { name: /^Conversations/ }).click();
  for (const name of ["Stay", "Leave and keep draft", "Discard and leave"])
    await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Discard and leave" }).click();
  await expect(page).toHaveURL(/agent_clerk$/);
});

/** Ends the processes of the browser with this profile as a power cut would: nothing is written any more. */
function killBrowser(profile: string): void {
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, "utf8");
      if (command.includes(`--user-data-dir=${profile}`)) process.kill(Number(id), "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
