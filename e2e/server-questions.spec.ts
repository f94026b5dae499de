import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSessionMcpServer } from "../src/testing/session-mcp-server.ts";
import { question, startAsking } from "./asking.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectRunState,
  openSignedIn,
  setTheme,
} from "./console.ts";
import { expectConversationState, messages } from "./conversations.ts";
import { test as base, expect } from "./fixtures.ts";
import { startRun } from "./runs.ts";
import { Service } from "./service.ts";

type Asking = Awaited<ReturnType<typeof startSessionMcpServer>>;

const root = resolve(import.meta.dirname, "..");

/** The sample workspace with a server that asks, and an agent that uses it. */
function workspaceWith(server: Asking): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-workspace-"));
  chmodSync(folder, 0o755);
  cpSync(join(root, "workspace"), folder, { recursive: true });
  const file = join(folder, "mcp.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as { mcpServers: object };
  const quay = { name: "Quay", url: server.url };
  writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, quay } }));
  const lines = ["id: agent_asks", "name: Asks", "owner: user_ada", "system_prompt: Ask.", "tools:"];
  writeFileSync(
    join(folder, "agents/asks.yaml"),
    [...lines, "  - type: mcp_server", "    server_id: quay"].join("\n"),
  );
  const flow = ["id: flow_mooring", "name: Book a berth", "owner: user_ada", "nodes:"];
  const nodes = [
    "  call: { type: mcp_tool, server: quay, tool: ask }",
    '  said: { type: output, value: "{{ call.value }}" }',
  ];
  writeFileSync(join(folder, "flows/mooring.yaml"), [...flow, ...nodes].join("\n"));
  return folder;
}

const test = base.extend<object, { quay: Asking }>({
  quay: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const server = await startSessionMcpServer();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ quay }, use) => {
      const service = await Service.start({ flags: ["--workspace", workspaceWith(quay)] });
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
});

/** Lets the agent call a tool whose server asks. */
const ask = (service: Service, tool: string) =>
  startAsking(service, { gummie_id: "agent_asks", message: `/quay__${tool} {}`, user_id: "user_ada" });

test("a server asks in the middle of a call: it is answered in the inbox, declined, and a page is opened by a click", async ({
  page,
  service,
}, { outputDir }) => {
  const shots = process.env.WHEELHOUSE_SHOTS ?? outputDir;
  const first = await ask(service, "ask");
  await openSignedIn(page, `/agents/agent_asks/conversations/${first.conversation}`);
  await messages(page).getByRole("link", { name: "Open in the inbox" }).click();
  await page.waitForURL(`**/inbox/${first.question}`);
  await expect(question(page).getByText(/^Quay \(127/)).toBeVisible();
  await expectAccessible(page);
  await setTheme(page, "dark");
  await page.screenshot({ path: join(shots, "form-dark.png") });
  await setTheme(page, "light");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.screenshot({ path: join(shots, "form-phone.png") });
  await page.setViewportSize({ width: 1440, height: 900 });
  await question(page).getByRole("textbox", { name: "berth" }).fill("North 7");
  await page.screenshot({ path: join(shots, "form.png") });
  await question(page).getByRole("button", { name: "Send answer" }).click();
  await expect(question(page).getByText("Answered by you")).toBeVisible();
  await page.goto(`/agents/agent_asks/conversations/${first.conversation}`);
  await expectConversationState(page, "Done");
  await expect(
    messages(page)
      .getByText(/North 7/)
      .first(),
  ).toBeVisible();

  const second = await ask(service, "ask");
  await page.goto(`/inbox/${second.question}`);
  await question(page).getByRole("button", { name: "Decline" }).click();
  await expect(question(page).getByText("Declined by you")).toBeVisible();

  const third = await ask(service, "link");
  await page.goto(`/inbox/${third.question}`);
  const open = question(page).getByRole("link", { name: "Open bank.example in a new tab" });
  await expect(open).toHaveAttribute("href", "https://bank.example/sign-in");
  await page.screenshot({ path: join(shots, "link.png") });
  await question(page).getByRole("button", { name: "I have done it" }).click();
  await expect(question(page).getByText("Answered by you")).toBeVisible();
  await page.goto(`/agents/agent_asks/conversations/${third.conversation}`);
  await expect(messages(page).getByText("Linked.").first()).toBeVisible();
});

test("a server asks in the middle of a run: its page leads to the question, and goes on with the answer", async ({
  page,
  service,
}, { outputDir }) => {
  const shots = process.env.WHEELHOUSE_SHOTS ?? outputDir;
  const run = await startRun(service, "flow_mooring", {});
  await openSignedIn(page, `/runs/${run}`);
  const notice = page.getByText("Waiting for an answer");
  await expect(notice).toBeVisible();
  await expect(page.getByText(/waits for an answer to an MCP server/).first()).toBeVisible();
  await page.screenshot({ path: join(shots, "run.png") });
  await page.getByRole("link", { name: "Which berth?" }).click();
  await expect(question(page).getByText(/The flow Book a berth has called its tool ask/)).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: join(shots, "run-form.png") });
  await question(page).getByRole("textbox", { name: "berth" }).fill("South 2");
  await question(page).getByRole("button", { name: "Send answer" }).click();
  await expect(question(page).getByText("Answered by you")).toBeVisible();
  await question(page).getByRole("link", { name: "Open the run" }).click();
  await expectRunState(page, "Done");
});

test("a tool that is tried by hand asks in place of its answer", async ({ page }, { outputDir }) => {
  const shots = process.env.WHEELHOUSE_SHOTS ?? outputDir;
  await openSignedIn(page, "/mcp?server=quay");
  const panel = page.getByRole("region", { name: "The selected server" });
  await panel.getByRole("button", { name: /^ask/ }).click();
  await panel.getByRole("button", { name: "Try it…" }).click();
  await panel.getByRole("button", { name: "Call tool as you" }).click();
  const asked = panel.getByRole("region", { name: "The server asks" });
  await expect(asked.getByText("Quay asks before it goes on.")).toBeVisible();
  await asked.getByRole("button", { name: "Send answer" }).click();
  await expect(asked.getByRole("textbox", { name: /^berth/i })).toBeFocused();
  await expectAccessible(page);
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      await asked.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${shots}/tool-trial-asks-${theme}-${width}.png` });
    }
  }
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("region", { name: "Tool result" })).toContainText("7");
  await expect(asked).toHaveCount(0);
});
