import { grace, question, startAsking } from "./asking.ts";
import { expectAccessible, expectNoSidewaysScroll, openSignedIn, setTheme, signInByKey } from "./console.ts";
import { expectConversationState, messages } from "./conversations.ts";
import { expect, test } from "./fixtures.ts";
import type { Service } from "./service.ts";

/** An agent of Ada's team that asks before it writes a file; any member may answer. */
async function askingAgent(service: Service): Promise<string> {
  const answer = await service.request("POST", "/agents", {
    ...{ name: "Registrar", model_name: "builtin/offline", team_id: "team_harbor" },
    tools: [{ type: "write_file" }, { type: "read_file" }],
    metadata: { approvals: { tools: { write_file: "ask" }, who: "operators" } },
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  const made: { agent: { id: string } } = await answer.json();
  return made.agent.id;
}

/** Lets the agent ask for a file of this name, in a conversation of its own. */
async function ask(service: Service, agent: string, name: string) {
  const message = `/write_file ${JSON.stringify({ name, content: "# Berths\n\nOne is free." })}`;
  const body = { gummie_id: agent, message, user_id: "user_ada", project_id: "team_harbor" };
  return await startAsking(service, body);
}

test("what an agent asks is answered by whoever is first, with edits, and the other is told", async ({
  page,
  browser,
  service,
}) => {
  const agent = await askingAgent(service);
  const { conversation, question: id } = await ask(service, agent, "berths.md");
  await signInByKey(page);
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page
    .getByRole("link", { name: /write_file/ })
    .first()
    .click();
  await page.waitForURL(`**/inbox/${id}`);
  await expect(question(page).getByText("berths.md").first()).toBeVisible();

  const other = await grace(browser, service);
  await other.goto(`/inbox/${id}`);
  await question(other).getByRole("button", { name: "Refuse…" }).click();
  await question(other).getByRole("textbox", { name: "Reason" }).fill("The office writes these.");
  // Her page does not hear of the answer before she gives hers.
  const read = `**/api/v1/inbox/${id}`;
  await other.route(read, (route) => route.abort());

  await question(page).getByRole("button", { name: "Edit…" }).click();
  const editor = question(page).getByRole("textbox", { name: "Arguments as JSON" });
  await editor.fill('{ "name": "free-berths.md", "content": 7 }');
  await question(page).getByRole("button", { name: "Approve with edits" }).click();
  await expect(question(page).getByText("content must be a string.")).toBeVisible();
  await editor.fill('{ "name": "free-berths.md", "content": "# Berths\\n\\nTwo are free." }');
  await question(page).getByRole("button", { name: "Approve with edits" }).click();
  await expect(question(page).getByText("Approved with edits by you")).toBeVisible();

  await question(other).getByRole("button", { name: "Refuse call" }).click();
  await expect(question(other).getByText("Ada Sample answered first: approved with edits")).toBeVisible();
  await other.unroute(read);
  await expect(question(other).getByText("Approved with edits by Ada Sample")).toBeVisible();
  await expect(question(other).getByText("The office writes these.")).toBeVisible();
  await other.context().close();

  await page.goto(`/agents/${agent}/conversations/${conversation}`);
  await expectConversationState(page, "Done");
  const call = messages(page).getByRole("article", { name: "Tool call write_file" });
  await expect(call).toContainText("Approved with edits by you");
  await expect(messages(page).getByText("free-berths.md").first()).toBeVisible();
});

test("what is typed before the editor has come goes on in it where it was typed", async ({
  page,
  service,
}) => {
  const agent = await askingAgent(service);
  const { question: id } = await ask(service, agent, "early.md");
  let come = () => {};
  const hasCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/assets/Editor-*.js", async (route) => {
    await hasCome;
    await route.continue();
  });
  await openSignedIn(page, `/inbox/${id}`);
  await question(page).getByRole("button", { name: "Edit…" }).click();
  const editor = question(page).getByRole("textbox", { name: "Arguments as JSON" });
  await expect(editor).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type('{ "name": "early');
  await expect(editor).toHaveValue('{ "name": "early');
  come();
  await expect(editor).toHaveAttribute("contenteditable", "true");
  await page.keyboard.type('-birds.md", "content": "" }');
  await expect(editor).toHaveText('{ "name": "early-birds.md", "content": "" }');
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('{ "name": "early-birds.md", "content": "None." }');
  await question(page).getByRole("button", { name: "Approve with edits" }).click();
  await expect(question(page).getByText("Approved with edits by you")).toBeVisible();
});

test("a call that waits is approved in its conversation, and stays to be seen in the inbox", async ({
  page,
  service,
}) => {
  const agent = await askingAgent(service);
  const { conversation } = await ask(service, agent, "tides.md");
  await openSignedIn(page, `/agents/${agent}/conversations/${conversation}`);
  const call = messages(page).getByRole("article", { name: "Tool call write_file" });
  await expect(call.getByText("waiting for approval", { exact: true })).toBeVisible();
  await call.getByRole("button", { name: "Approve" }).click();
  await expectConversationState(page, "Done");
  await expect(call).toContainText("Approved by you");
  await page.goto("/inbox?state=answered");
  await expect(page.getByText(/^approved by you after/).first()).toBeVisible();
});

test("the inbox is answered with one thumb and read in both themes", async ({ page, service }) => {
  const agent = await askingAgent(service);
  const { question: id } = await ask(service, agent, "thumb.md");
  await signInByKey(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/inbox");
  await expect(page.getByRole("link", { name: /write_file/ }).first()).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.goto(`/inbox/${id}`);
  await expect(question(page).getByRole("button", { name: "Approve" })).toBeInViewport();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await setTheme(page, "dark");
  await expectAccessible(page, "colours");
  await question(page).getByRole("button", { name: "Refuse…" }).click();
  await question(page).getByRole("button", { name: "Refuse call" }).click();
  await expect(
    question(page)
      .getByText(/^Refused/)
      .first(),
  ).toBeVisible();
});

test("a knowledge source is approved in the inbox with one thumb, and stays under Answered", async ({
  page,
  service,
}) => {
  const agent = await askingAgent(service);
  await ask(service, agent, "pilots.md");
  const made = await service.request("POST", "/brain/sources", {
    ...{ name: "Harbour rules", require_approval: true, scope: "team", team_id: "team_harbor" },
  });
  const { source }: { source: { id: string } } = await made.json();
  const file = {
    file_name: "rules.md",
    file_content: Buffer.from("Moor at dusk. ".repeat(200)).toString("base64"),
  };
  await service.request("POST", `/brain/sources/${source.id}/files`, { files: [file] });
  await signInByKey(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/inbox?order=dearest");
  const row = page.getByRole("link", { name: "Harbour rules" });
  await expect(row).toBeVisible();
  await expectNoSidewaysScroll(page);
  await row.click();
  await page.waitForURL(`**/inbox/${source.id}?order=dearest&kind=source`);
  const approve = question(page).getByRole("button", { name: /^Approve for 0\.7 credits/ });
  await expect(approve).toBeInViewport();
  await expectNoSidewaysScroll(page);
  await approve.click();
  await page.goto("/inbox");
  await expect(page.getByRole("link", { name: /write_file/ }).first()).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole("link", { name: "Answered" }).click();
  await expect(row).toBeVisible();
  await expect(page.getByText(/^Knowledge source, approved by you after/)).toBeVisible();
});

test("a long name without a space is not cut off where a question says who may answer", async ({
  page,
  service,
}) => {
  const { question: id } = await ask(service, await askingAgent(service), "names.md");
  const name = "A".repeat(150);
  await page.route(`**/api/v1/inbox/${id}`, async (route) => {
    const response = await route.fetch();
    const { item }: { item: { who: object } } = await response.json();
    const person = { id: "user_long", first_name: name, last_name: "", email: null };
    await route.fulfill({ response, json: { item: { ...item, who: { ...item.who, people: [person] } } } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, `/inbox/${id}`);
  const who = question(page).getByRole("region", { name: "Who may answer" });
  await expect(who).toContainText(name);
  expect(await who.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});
