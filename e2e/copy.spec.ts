import { expectAccessible, expectNoSidewaysScroll, openSignedIn } from "./console.ts";
import { expectConversationState, messages, sendMessage, turnEnds } from "./conversations.ts";
import { expect, test } from "./fixtures.ts";

const talk = async (service: Parameters<typeof sendMessage>[0]) => {
  const id = await sendMessage(
    service,
    "agent_scribe",
    '/write_file {"name": "log.md", "content": "Fair wind"}',
  );
  await turnEnds(service, id);
  await sendMessage(service, "agent_scribe", '/write_file {"name": "log.md", "content": "A storm"}', id);
  await turnEnds(service, id);
  return id;
};

test("a conversation goes on from before a message as a copy, with the file as it was", async ({
  page,
  service,
}) => {
  const id = await talk(service);
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  await expect(messages(page).getByRole("article", { name: "Tool call write_file" })).toHaveCount(2);
  await page.getByRole("button", { name: "Go on from here as a copy" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Go on from here as a copy" });
  await expect(dialog).toContainText("takes over the turn before this message");
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill('/read_file {"name": "log.md"}');
  await dialog.getByRole("button", { name: "Start copy" }).click();
  await page.waitForURL((url) => /conversations\/int_/.test(url.pathname) && !url.pathname.endsWith(id));
  await expectConversationState(page, "Done");
  // The agent of the copy reads the file as it was then.
  await expect(
    messages(page)
      .getByText(/Fair wind/)
      .last(),
  ).toBeVisible();
  await expect(messages(page).getByText(/A storm/)).toHaveCount(0);
  await expect(messages(page).getByRole("article", { name: "Tool call write_file" })).toHaveCount(1);
  const related = page.getByRole("region", { name: "Related conversations" });
  await expect(related).toContainText("from before turn 2; 1 turn taken over, nothing run again");
  await related.getByRole("link").click();
  await page.waitForURL((url) => url.pathname.endsWith(id) && url.searchParams.has("part"));
  await expect(related).toContainText("Copied from before turn 2");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the way to a copy stands at each message", async ({ page, service }) => {
    const id = await talk(service);
    await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
    await page.getByRole("button", { name: "Go on from here as a copy" }).first().tap();
    const dialog = page.getByRole("dialog", { name: "Go on from here as a copy" });
    await expect(dialog).toContainText("A new conversation starts with this message.");
    await expectNoSidewaysScroll(page);
    await dialog.getByRole("textbox").fill("What can you do?");
    await dialog.getByRole("button", { name: "Start copy" }).tap();
    await page.waitForURL((url) => /conversations\/int_/.test(url.pathname) && !url.pathname.endsWith(id));
    await expect(page.getByRole("region", { name: "Related conversations" })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
});
