import { screen, waitFor } from "@testing-library/react";
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
