import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("a save by its key takes the keyboard from no control, and none of them changes until it is done", async () => {
  const agent = anAgent({ version: 14, metadata: { appearance: { icon: "scales" } } });
  service().state.agents = [agent];
  const { user } = renderConsole("/agents/agent_clerk/settings");
  await user.type(await screen.findByRole("textbox", { name: "Name" }), " 2");
  const icon = screen.getByRole("combobox", { name: "Icon" });
  const answer = service().holdBack(updateAgent, { agent: { ...agent, name: "Clerk 2", version: 15 } });
  icon.focus();
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(service().seen(updateAgent)).toHaveLength(1));
  await waitFor(() => expect(icon).toHaveAttribute("aria-disabled", "true"));
  expect(icon).toBeEnabled();
  await user.selectOptions(icon, "");
  expect(icon).toHaveValue("scales");
  answer();
  await waitFor(() => expect(icon).not.toHaveAttribute("aria-disabled"));
  expect(icon).toHaveFocus();
});

it("what is removed from an agent leaves the keyboard where it was listed", async () => {
  service().state.agents = [
    anAgent({
      version: 14,
      tools: [{ type: "flow", saved_item_id: "flow_hello" }],
      metadata: { chat: { starter_prompts: ["When is high water?"] } },
    }),
  ];
  const { user } = renderConsole("/agents/agent_clerk/settings");
  const tools = await screen.findByRole("list", { name: /^Tools/ });
  within(tools).getByRole("button").focus();
  await user.keyboard("{Enter}");
  screen.getByRole("button", { name: /^Remove / }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Remove / })).toBeNull());
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement).toContainElement(tools);
  screen.getByRole("button", { name: "More for starter prompt 1" }).focus();
  await user.keyboard("{Enter}");
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "More for starter prompt 1" })).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: "Add one" })).toHaveFocus());
});
