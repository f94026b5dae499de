import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { changeElsewhere, takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const bodies = () =>
  service()
    .seen(updateAgent)
    .map(({ body }) => body);

async function open() {
  service().state.agents = [anAgent({ version: 14 })];
  takeChanges(service());
  const rendered = renderConsole("/agents/agent_clerk/settings");
  await screen.findByRole("textbox", { name: "Name" });
  return rendered;
}

/** Types into the name, and lets another person save a change of the agent meanwhile. */
async function editWhileSaved(change: Parameters<typeof changeElsewhere>[1]) {
  const { user, wheelhouse } = await open();
  await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
  changeElsewhere(service(), change);
  await wheelhouse.queries.invalidateQueries();
  return { user };
}

describe("another person's save while a draft is open", () => {
  it("is said before anything is sent, and hinders nothing", async () => {
    const { user } = await editWhileSaved({ system_prompt: "Be long.", model_name: "x/y" });
    const name = screen.getByRole("textbox", { name: "Name" });
    await screen.findByText(/Grace Hopper saved version 15/);
    expect(screen.getByText(/Version 14 to 15 changed the model and the system prompt/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Merge, then save" })).toBeInTheDocument();
    await user.type(name, "3");
    expect(name).toHaveValue("Clerk 23");
    await user.click(screen.getByRole("link", { name: "See Grace’s changes" }));
    const dialog = within(await screen.findByRole("dialog", { name: "What version 15 changed" }));
    expect(dialog.getByText("long")).toBeInTheDocument();
  });

  it("leaves the keyboard on the page where it is merged", async () => {
    const { user } = await editWhileSaved({ system_prompt: "Be long." });
    await user.click(await screen.findByRole("button", { name: "Merge, then save" }));
    await screen.findByRole("navigation", { name: "Fields to merge" });
    expect(document.getElementById("content")).toHaveFocus();
  });

  it("is shown at once where no draft is open", async () => {
    const { wheelhouse } = await open();
    changeElsewhere(service(), { name: "Scribe" });
    await wheelhouse.queries.invalidateQueries();
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("Scribe"));
    expect(screen.queryByText(/saved version/)).toBeNull();
  });

  it("is no reason for a merge where it touched nothing that is edited here", async () => {
    const { user } = await editWhileSaved({ team_id: "team_harbor" });
    await user.click(await screen.findByRole("button", { name: "Save as version 16" }));
    await screen.findByText("Saved as version 16.");
    expect(bodies()).toEqual([{ version: 15, name: "Clerk 2" }]);
  });
});
