import { key, userId } from "../src/testing/core-only/data.ts";
import { expectAccessible, expectNoSidewaysScroll, openSignedIn, setTheme, signInByKey } from "./console.ts";
import { expectConversationState, messages, sendMessage, turnEnds, write } from "./conversations.ts";
import { expect, test } from "./fixtures.ts";
import { hasEnded } from "./runs.ts";

test("somebody finds an agent, talks to it from the list, and goes on in the conversation", async ({
  page,
}) => {
  await signInByKey(page);
  await page.getByRole("link", { name: "Agents" }).first().click();
  await page.getByRole("row", { name: /Scribe/ }).click();
  const panel = page.getByRole("region", { name: "The selected agent" });
  await expect(panel.getByText("write_file", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Write a file…" }).click();
  const form = page.getByRole("dialog", { name: "Write a file" });
  await expect(form.getByRole("textbox", { name: "Name" })).toHaveValue("notes.md");
  await form.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/agents\/agent_scribe\/conversations\/int_/);
  const call = messages(page).getByRole("article", { name: "Tool call write_file" });
  await expect(call.getByRole("button", { name: /^Arguments/ })).toHaveAttribute("aria-expanded", "true");
  await expect(call.getByRole("button", { name: /^Result/ })).toHaveAttribute("aria-expanded", "false");
  await expect(messages(page).getByText("notes.md", { exact: true }).first()).toBeVisible();
  await expectConversationState(page, "Done");

  await write(page, "Scribe", '/run_flow {"saved_item_id": "flow_hello", "inputs": {"name": "Grace"}}');
  await expect(
    messages(page)
      .getByText(/Hello, Grace/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message Scribe" })).toHaveValue("");
  await expect(
    page
      .getByRole("navigation", { name: "Turns" })
      .getByRole("button", { name: /run_flow/ })
      .first(),
  ).toBeVisible();
});

test("a failed call says why before anything else, and e leads to it", async ({ page, service }) => {
  const id = await sendMessage(
    service,
    "agent_scribe",
    '/read_file {"name": "nowhere.md"}\n/write_file {"name": "a.md", "content": "# Title\\n\\n- one\\n- two"}',
  );
  await turnEnds(service, id);
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  const failed = messages(page).getByRole("article", { name: "Tool call read_file" });
  await expect(failed.getByText(/There is no file nowhere.md/)).toBeVisible();
  await messages(page).focus();
  await page.keyboard.press("e");
  await expect(failed).toBeInViewport();
});

test("a turn that goes on shows what it does, takes a message for later, and the message goes when it ends", async ({
  page,
  service,
}) => {
  await openSignedIn(page, "/agents/agent_scribe/conversations/new");
  await write(page, "Scribe", '/run_flow {"saved_item_id": "flow_long"}');
  await page.waitForURL(/\/conversations\/int_/);
  await expectConversationState(page, "Running");
  await expect(
    messages(page).getByRole("article", { name: "Tool call run_flow" }).getByText("running"),
  ).toBeVisible();
  await write(page, "Scribe", "What can you do?");
  const waiting = page.getByRole("list", { name: "Queued messages" });
  await expect(waiting.getByText("What can you do?")).toBeVisible();
  await page.reload();
  await expect(waiting.getByText("What can you do?")).toBeVisible();
  await expect(
    page.getByRole("complementary", { name: "Sidebar" }).getByRole("link", { name: /Scribe/ }),
  ).toBeVisible();

  // The sub-run ends, so the turn does.
  const list: { runs: { run_id: string; state: string }[] } = await (
    await service.request("GET", "/runs?saved_item_id=flow_long")
  ).json();
  for (const run of list.runs.filter((one) => !hasEnded(one)))
    await service.request("POST", "/kill_pipeline", { run_id: run.run_id, user_id: "user_ada" });
  await expect(messages(page).getByText(/the model that comes with Wheelhouse/)).toBeVisible({
    timeout: 60_000,
  });
  await expect(waiting).toBeHidden();
});

test("the keys step from turn to turn, also through short ones that fit on one screen", async ({
  page,
  service,
}) => {
  const id = await sendMessage(service, "agent_scribe", "Question 1");
  for (const number of [2, 3, 4, 5]) {
    await turnEnds(service, id);
    await sendMessage(service, "agent_scribe", `Question ${number}`, id);
  }
  await turnEnds(service, id);
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  await expect(messages(page).getByText("Question 5", { exact: true })).toBeInViewport();
  const first = messages(page).getByText("Question 1", { exact: true });
  await expect(first).not.toBeInViewport();
  for (const number of [4, 3, 2, 1]) {
    await page.keyboard.press("[");
    await expect(messages(page).getByText(`Question ${number}`, { exact: true })).toBeInViewport();
  }
  await expect(first).toBeInViewport();
  for (const number of [2, 3, 4, 5]) {
    await page.keyboard.press("]");
    await expect(messages(page).getByText(`Question ${number}`, { exact: true })).toBeInViewport();
  }
});

test("somebody stops a turn that takes too long, asks for it again, and sees it end", async ({
  page,
  service,
}) => {
  const id = await sendMessage(service, "agent_scribe", '/run_flow {"saved_item_id": "flow_long"}');
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  const call = messages(page).getByRole("article", { name: "Tool call run_flow" });
  await expect(call.getByText("running")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expectConversationState(page, "Stopped");
  await expect(messages(page).getByText("Stopped by Ada Sample.")).toBeVisible();
  await expect(call.getByText("stopped", { exact: true })).toBeVisible();
  expect(await turnEnds(service, id)).toMatchObject({
    state: "FAILED",
    error_message: "Stopped by Ada Sample.",
  });

  await page.getByRole("button", { name: "Try again" }).dblclick();
  await expectConversationState(page, "Running");
  await expect(
    page.getByRole("navigation", { name: "Turns" }).getByRole("button", { name: /flow_long/ }),
  ).toHaveCount(2);
  await expect(call.last().getByText("running")).toBeVisible();
  // The sub-run ends, so the turn does. It may begin a moment after its call.
  let killed = 0;
  await expect
    .poll(async () => {
      const list: { runs: { run_id: string; state: string }[] } = await (
        await service.request("GET", "/runs?saved_item_id=flow_long")
      ).json();
      const moving = list.runs.filter((one) => !hasEnded(one));
      for (const run of moving)
        await service.request("POST", "/kill_pipeline", { run_id: run.run_id, user_id: "user_ada" });
      killed += moving.length;
      return killed > 0 && moving.length === 0;
    })
    .toBe(true);
  await expectConversationState(page, "Done");
});

test("a conversation that somebody else continues meanwhile keeps what was typed here", async ({
  page,
  service,
}) => {
  const id = await sendMessage(service, "agent_scribe", "Hello");
  await turnEnds(service, id);
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  await expectConversationState(page, "Done");
  // It looks once more after the end: what it saw then would be no surprise.
  await expect(page.getByRole("button", { name: /Up to date/ })).toBeVisible();
  await sendMessage(service, "agent_scribe", '/run_flow {"saved_item_id": "flow_long"}', id);
  await write(page, "Scribe", "My own words");
  await expect(page.getByRole("alert").getByText(/already started another turn/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message Scribe" })).toHaveValue("My own words");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Message Scribe" })).toHaveValue("My own words");
});

test("a link to one part leads there, and find marks words in all of it", async ({ page, service }) => {
  let id: string | undefined;
  for (let at = 1; at <= 12; at++) {
    id = await sendMessage(
      service,
      "agent_scribe",
      `/write_file {"name": "part-${at}.md", "content": "anchor ${at}"}`,
      id,
    );
    await turnEnds(service, id);
  }
  await openSignedIn(page, `/agents/agent_scribe/conversations/${id}`);
  await expect(
    messages(page)
      .getByText(/part-12.md/)
      .first(),
  ).toBeInViewport();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Find in this conversation" })).toBeFocused();
  await page.keyboard.type("anchor 3");
  await expect(messages(page).locator("mark").first()).toBeInViewport();
  const call = messages(page)
    .getByRole("article", { name: "Tool call write_file" })
    .filter({ hasText: "anchor 3" });
  await call.getByRole("button", { name: "Copy link to this part" }).click();
  await expect(page).toHaveURL(/part=/);
  const address = new URL(page.url());
  address.searchParams.delete("q");
  await page.goto("/runs");
  await page.goto(address.href);
  await expect(call).toBeInViewport();
  await expect(call.getByText(/anchor 3/)).toBeInViewport();
});

test("a service with the core alone says how long the agent works, then what it said, and loads no picture of it", async ({
  page,
  coreOnly,
}) => {
  await signInByKey(page, { connection: "Stranger", key, user: userId });
  coreOnly.holdTurns(true);
  await page.goto("/agents/ag_plain/conversations/new");
  await write(page, "Claims triage desk", "Sort **this**");
  await expect(messages(page).getByText(/Running for \d+ s/)).toBeVisible();
  await expect(messages(page).getByText(/when the turn ends/)).toBeVisible();
  coreOnly.holdTurns(false);
  await expect(messages(page).getByText(/Image from spy.example.test, not loaded/)).toBeVisible();
  await expect(messages(page).getByText("narrator")).toBeVisible();
  await expect(messages(page).getByRole("article", { name: /type hologram/ })).toBeVisible();
  await write(page, "Claims triage desk", "Now fail");
  await expect(page.getByRole("alert").getByText("The model did not answer.")).toBeVisible();
  await page.goto("/agents/ag_plain");
  await expect(page.getByText(/1 conversation in local history/)).toBeVisible();
  await page.goto("/agents");
  await expect(page.getByRole("row", { name: /ag_bare/ })).toBeVisible();
});

for (const theme of ["light", "dark"] as const) {
  test(`agents, an agent and a conversation have no findings of axe, ${theme}`, async ({ page, service }) => {
    const id = await sendMessage(
      service,
      "agent_scribe",
      '/write_file {"name": "x.md", "content": "x"}\n/read_file {"name": "y"}',
    );
    await turnEnds(service, id);
    await setTheme(page, theme);
    await openSignedIn(page, "/agents?agent=agent_scribe");
    await expect(
      page.getByRole("region", { name: "The selected agent" }).getByText("write_file").first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.goto(`/agents/agent_scribe/conversations/${id}`);
    await expect(messages(page).getByRole("article", { name: "Tool call read_file" })).toBeVisible();
    await expectAccessible(page);
    await page.goto("/agents/agent_scribe/conversations/new");
    await expect(page.getByRole("textbox", { name: "Message Scribe" })).toBeVisible();
    await expectAccessible(page);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("agents, an agent and a conversation fit, with the index behind one button", async ({
    page,
    service,
  }) => {
    const id = await sendMessage(
      service,
      "agent_scribe",
      `/write_file {"name": "${"long-".repeat(30)}.md", "content": "x"}`,
    );
    await turnEnds(service, id);
    await signInByKey(page);
    for (const address of ["/agents", "/agents/agent_scribe"]) {
      await page.goto(address);
      await expect(page.getByText("Scribe").first()).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    await page.goto(`/agents/agent_scribe/conversations/${id}`);
    await expect(messages(page).getByRole("article", { name: "Tool call write_file" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Turns, files and find" }).click();
    await expect(page.getByRole("dialog").getByRole("navigation", { name: "Turns" })).toBeVisible();
  });
});
