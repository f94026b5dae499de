import { expectAccessible, expectNoSidewaysScroll, openSignedIn } from "./console.ts";
import { expectConversationState, messages, write } from "./conversations.ts";
import { expect, test } from "./fixtures.ts";

test("a server that nobody has used yet is asked when its page opens, and again at a press", async ({
  page,
}) => {
  await openSignedIn(page, "/mcp?server=almanac");
  const everybody = page
    .getByRole("region", { name: "The selected server" })
    .getByRole("region", { name: "Everyone" });
  await expect(everybody.getByText("connected", { exact: true })).toBeVisible();
  await everybody.getByRole("button", { name: "Check now" }).click();
  await expect(everybody.getByText(/^checked .*: responded with \d tools$/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test("somebody makes an agent with a built-in tool and one of a server, and it uses both", async ({
  page,
}) => {
  await openSignedIn(page, "/agents/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Chandler");
  await page.getByRole("button", { name: "Add tools" }).click();
  const list = page.getByRole("dialog", { name: "Tools" });
  await expect(list.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("write_file");
  await page.keyboard.press("Enter");
  await expect(list.getByRole("option", { name: /^write_file/ })).toBeChecked();
  await list.getByRole("combobox").clear();
  await list.getByRole("option", { name: "Show tools of Almanac (sample)" }).click();
  await list.getByRole("option", { name: /^add_days/ }).click();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Tools" }).getByRole("listitem")).toHaveCount(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Add tools" }).click();
  await expect(list.getByRole("option", { name: /^write_file/ })).toBeChecked();
  await expectNoSidewaysScroll(page);
  await list.getByRole("button", { name: "Done" }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Create agent" }).click();

  await page.waitForURL(/\/agents\/agent_(?!new)/);
  await page.goto(`${new URL(page.url()).pathname}/conversations/new`);
  const lines = [
    '/write_file {"name": "berth.md", "content": "Berth 4"}',
    '/almanac__add_days {"date": "2026-11-20", "days": 7}',
  ];
  await write(page, "Chandler", lines.join("\n"));
  await expectConversationState(page, "Done");
  await expect(messages(page).getByText("berth.md", { exact: true }).first()).toBeVisible();
  await expect(
    messages(page)
      .getByText(/2026-11-27, a Friday/)
      .first(),
  ).toBeVisible();
});
