import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startOAuthMcpServer } from "../src/testing/oauth-mcp-server.ts";
import { makePdf, twoColumns } from "../src/testing/pdf.ts";
import { expectAccessible, expectNoSidewaysScroll, signInByKey } from "./console.ts";
import { expectConversationState, messages, write } from "./conversations.ts";
import { test as base, expect } from "./fixtures.ts";
import { Service } from "./service.ts";

type OAuthMcpServer = Awaited<ReturnType<typeof startOAuthMcpServer>>;

const root = resolve(import.meta.dirname, "..");
const question = "demurrage tariff of reefer plugs";

/** The sample workspace with a server that demands a sign-in, and an agent that uses it and looks things up. */
function workspaceWith(server: OAuthMcpServer): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-workspace-"));
  chmodSync(folder, 0o755);
  cpSync(join(root, "workspace"), folder, { recursive: true });
  const file = join(folder, "mcp.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as { mcpServers: object };
  const drive = { name: "Harbor Drive", description: "Files of the harbor", url: server.url };
  writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, drive } }));
  writeFileSync(
    join(folder, "agents/keeper.yaml"),
    [
      "id: agent_keeper",
      "name: Keeper",
      "owner: user_ada",
      "system_prompt: You look things up.",
      "tools:",
      "  - type: mcp_server",
      "    server_id: drive",
      "  - type: search_knowledge",
    ].join("\n"),
  );
  return folder;
}

/** Sixty pages of two columns; one sentence stands on page 57, broken over two lines of the right column. */
function handbook(): Buffer {
  const pages = Array.from({ length: 60 }, (_, at) => {
    const left = Array.from(
      { length: 20 },
      (_line, line) => `Berth ${at + 1}.${line} takes ships of any flag.`,
    );
    const right = left.map((line) => line.replace("Berth", "Crane"));
    if (at === 56) right.splice(8, 2, "The demurrage tariff of reefer plugs is", "forty crowns an hour.");
    return twoColumns([left, right], `Harbour handbook, part ${at + 1}`);
  });
  return makePdf(pages, { compress: true });
}

const test = base.extend<object, { drive: OAuthMcpServer }>({
  drive: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const server = await startOAuthMcpServer();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ drive }, use) => {
      const service = await Service.start({ flags: ["--workspace", workspaceWith(drive)] });
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
});

test("an agent calls a tool of a server that demanded OAuth, is evaluated, and finds page 57 of an approved handbook", async ({
  page,
  drive,
  watched,
}) => {
  // A long way with many pages.
  test.setTimeout(400_000);
  // The sign-in is the server's own page, which the browser passes through.
  watched.allow(`foreign request: ${new URL(drive.url).origin}`);
  await signInByKey(page);

  await page.goto("/mcp");
  await page
    .getByRole("row", { name: /Harbor Drive/ })
    .getByRole("button")
    .first()
    .click();
  const panel = page.getByRole("region", { name: "The selected server" });
  await expect(panel.getByRole("link", { name: "Keeper" })).toBeVisible();
  await panel.getByRole("button", { name: "Connect" }).first().click();
  await expect(page.getByText("Harbor Drive is connected").first()).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByText("connected", { exact: true }).first()).toBeVisible();
  await expect(panel.getByRole("button", { name: /^echo/ })).toBeVisible();
  await expectAccessible(page);

  await page.goto("/agents/agent_keeper/evaluations?view=criteria");
  await page.getByRole("checkbox", { name: "Evaluate conversations with this agent" }).check();
  await page.getByRole("combobox", { name: "When" }).selectOption("per_turn");
  await page.getByRole("button", { name: "Add criterion" }).click();
  await page.getByRole("textbox", { name: "Name of criterion 1" }).fill("Promises nothing");
  await page.getByRole("combobox", { name: "Type of criterion 1" }).selectOption("prohibited_words");
  await page.getByRole("textbox", { name: "What criterion 1 checks" }).fill("guarantee");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/^Saved/).first()).toBeVisible();

  await page.goto("/agents/agent_keeper/conversations/new");
  await write(page, "Keeper", '/drive__echo {"text": "over the harbor"}');
  await expectConversationState(page, "Done");
  const call = page.getByRole("article", { name: /^Tool call echo/ });
  await expect(call).toBeVisible();
  expect(drive.calls.map(({ tool }) => tool)).toContain("echo");

  await page.goto("/agents/agent_keeper/evaluations");
  const sessions = page.getByRole("region", { name: "Results" });
  await expect(async () => {
    await page.reload();
    await expect(sessions.getByRole("row", { name: /over the harbor/ })).toBeVisible();
  }).toPass({ timeout: 60_000 });
  await expect(
    page.getByRole("region", { name: "Grades" }).getByText("1 conversation, 0 before"),
  ).toBeVisible();
  await sessions
    .getByRole("row", { name: /over the harbor/ })
    .getByRole("button")
    .first()
    .click();
  await expect(page.getByRole("dialog").getByText("Promises nothing")).toBeVisible();

  await page.goto("/knowledge");
  await page.getByRole("button", { name: "New source" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Tariffs");
  await page.getByRole("button", { name: "Create source" }).click();
  await expect(page.getByRole("heading", { name: "Tariffs" })).toBeVisible();
  await page.getByLabel("Files to add").setInputFiles({
    name: "handbook.pdf",
    mimeType: "application/pdf",
    buffer: handbook(),
  });
  await page.getByRole("button", { name: /^Approve for .* credits?$/ }).click({ timeout: 60_000 });
  await expect(page.getByText("searchable").first()).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);

  await page.goto("/agents/agent_keeper/conversations/new");
  await write(page, "Keeper", `/search_knowledge {"query": "${question}"}`);
  await expectConversationState(page, "Done");
  const found = page.getByRole("article", { name: /^Tool call search_knowledge/ });
  await found.getByRole("button", { name: /^Result/ }).click();
  await expect(
    messages(page)
      .getByText(/page=57/)
      .first(),
  ).toBeVisible();

  await page.goto(`/knowledge?tab=search&q=${encodeURIComponent(question)}`);
  await page.getByRole("link", { name: "handbook.pdf, page 57" }).first().click();
  await expect(page).toHaveURL(/[?&]page=57/);
  await expect(page.getByRole("region", { name: "Open file" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});
