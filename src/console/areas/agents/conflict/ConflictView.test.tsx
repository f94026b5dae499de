import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { listSessions } from "../../../../contract/sessions.ts";
import { changeElsewhere, takeChanges, writeInto } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const address = "/agents/agent_clerk/settings";
const almanac = { type: "mcp_server", server_id: "almanac" };
const flow = (id: string) => ({ type: "flow", saved_item_id: id });
const lines = (...all: string[]) => all.join("\n");
const base = lines("You keep dates.", "Read the list.", "Name the source.", "Never promise.", "Be brief.");
const bodies = () =>
  service()
    .seen(updateAgent)
    .map(({ body }) => body);
const fields = () => within(screen.getByRole("navigation", { name: "Fields to merge" }));
const saveButton = (version: number) => screen.getByRole("button", { name: `Save as version ${version}` });

/** Ada edits the prompt and a preference of version 14; what Grace did to 15 comes back as the answer to her save. */
async function refusedSave(
  theirs: Parameters<typeof changeElsewhere>[1],
  mine = lines(
    "You keep dates.",
    "Read the list.",
    "Name the source.",
    "Never promise a berth.",
    "Be brief and kind.",
  ),
  was = base,
) {
  service().state.agents = [anAgent({ version: 14, system_prompt: was, tools: [almanac, flow("flow_a")] })];
  takeChanges(service());
  const rendered = renderConsole(address);
  await screen.findByRole("textbox", { name: "Name" });
  await writeInto("System prompt", mine);
  await rendered.user.type(screen.getByRole("textbox", { name: "Maximum steps" }), "24");
  changeElsewhere(service(), theirs);
  await rendered.user.click(saveButton(15));
  await screen.findByRole("navigation", { name: "Fields to merge" });
  return rendered;
}

describe("C-23: a save that another person's save was before", () => {
  it("merges what does not touch with whose it is, asks for the rest, and saves only after the last choice", async () => {
    const { user, router } = await refusedSave({
      description: "Keeps dates.",
      system_prompt: lines(
        "You keep dates.",
        "Read the whole list.",
        "Name the source.",
        "Never promise a date.",
        "Be brief.",
      ),
      tools: [flow("flow_a"), flow("flow_b")],
    });
    expect(router.state.location.search).toMatchObject({ view: "merge" });
    await screen.findByText("Grace Hopper saved version 15 while you were editing version 14");
    expect(fields().getByRole("link", { name: "system_prompt 1 to choose" })).toBeInTheDocument();
    expect(fields().getByRole("link", { name: "description theirs" })).toBeInTheDocument();
    expect(fields().getByRole("link", { name: "tools theirs" })).toBeInTheDocument();
    expect(fields().getByRole("link", { name: "metadata.preferences yours" })).toBeInTheDocument();
    const box = within(screen.getByRole("region", { name: /changed by both/ }));
    expect(box.getByText(/Version 14: “Never promise\./)).toBeInTheDocument();
    expect(box.getByRole("region", { name: "Yours" })).toHaveTextContent("Never promise a berth.");
    expect(box.getByRole("region", { name: "Theirs" })).toHaveTextContent("Never promise a date.");
    expect(saveButton(16)).toHaveAccessibleDescription("Resolve first: a conflict in the system prompt");
    await user.click(saveButton(16));
    expect(bodies()).toHaveLength(1);
    await user.click(box.getByRole("button", { name: "Use theirs" }));
    // What was not chosen stays to be read, and can be chosen again.
    expect(box.getByRole("region", { name: "Yours" })).toHaveTextContent("Never promise a berth.");
    expect(screen.getByText("No conflicts left.")).toBeInTheDocument();
    await user.click(saveButton(16));
    await screen.findByText("Saved as version 16.");
    expect(bodies()[1]).toMatchObject({ version: 15, metadata: { preferences: { max_steps: 24 } } });
    expect(service().state.agents[0]).toMatchObject({
      version: 16,
      description: "Keeps dates.",
      tools: [flow("flow_a"), flow("flow_b")],
      metadata: { preferences: { max_steps: 24 } },
    });
    expect(service().state.agents[0]?.system_prompt).toContain("Never promise a date.");
    expect(service().state.agents[0]?.system_prompt).toContain("Read the whole list.");
    expect(router.state.location.search).toEqual({});
  });

  it("C-54: begins at the first conflict after Ctrl+S, and Ctrl+S leads from one to the next until none is left", async () => {
    service().state.agents = [anAgent({ version: 14, system_prompt: base })];
    takeChanges(service());
    const { user } = renderConsole(address);
    await screen.findByRole("textbox", { name: "Name" });
    await writeInto(
      "System prompt",
      base.replace("Read the list.", "Read the lists.").replace("brief", "kind"),
    );
    await user.type(screen.getByRole("textbox", { name: "Maximum steps" }), "24");
    changeElsewhere(service(), {
      system_prompt: base.replace("Read the list.", "Read all.").replace("brief", "short"),
      metadata: { preferences: { max_steps: 30 } },
    });
    await user.keyboard("{Control>}s{/Control}");
    const first = await screen.findByRole("region", { name: "System prompt, line 2, changed by both" });
    await waitFor(() => expect(first).toHaveFocus());
    await user.tab();
    expect(within(first).getByRole("button", { name: "Use both, yours first" })).toHaveFocus();
    await user.keyboard("{Control>}s{/Control}");
    const second = screen.getByRole("region", { name: "System prompt, line 5, changed by both" });
    await waitFor(() => expect(second).toHaveFocus());
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(screen.getByRole("row", { name: /max steps/ })).toHaveFocus());
    expect(bodies()).toHaveLength(1);
    await user.click(screen.getByRole("radio", { name: "Side by side" }));
    await user.click(screen.getByRole("button", { name: "Go to first" }));
    await waitFor(() =>
      expect(screen.getByRole("region", { name: "System prompt, line 2, changed by both" })).toHaveFocus(),
    );
  });

  it("marks of a text that one of them changed the changed lines alone, whatever ends its lines", async () => {
    await refusedSave({ description: "Keeps dates." }, undefined, base.replaceAll("\n", "\r\n"));
    const row = (text: string) => screen.getByText(text).closest("div");
    expect(row("Read the list.")).not.toHaveTextContent(/yours/i);
    expect(row("Read the list.")).toHaveTextContent("2Read the list.");
    expect(screen.getByText("and kind").closest("div")).toHaveTextContent("5yoursBe brief and kind.");
  });

  it("is handled the same way when a third save comes in between, and keeps the choices that it did not touch", async () => {
    const theirs = lines(
      "You keep dates.",
      "Read the list.",
      "Name the source.",
      "Never promise a date.",
      "Be brief.",
    );
    const { user } = await refusedSave(
      { system_prompt: theirs },
      lines("You keep dates.", "Read the list.", "Name the source.", "Never promise a berth.", "Be brief."),
    );
    await user.click(screen.getByRole("button", { name: "Use both, yours first" }));
    changeElsewhere(service(), { name: "Registrar", metadata: { preferences: { max_steps: 30 } } });
    await user.click(saveButton(16));
    await screen.findByText(/saved version 16 while you were editing version 14/);
    expect(bodies()).toHaveLength(2);
    // The choice of before still stands; only the new one is asked.
    expect(fields().getByRole("link", { name: "system_prompt chosen" })).toBeInTheDocument();
    expect(screen.getByText("1 conflict left.")).toBeInTheDocument();
    const preferences = within(screen.getByRole("table", { name: "Preferences in the merge" }));
    await user.click(preferences.getByRole("radio", { name: "Yours" }));
    await user.click(saveButton(17));
    await screen.findByText("Saved as version 17.");
    expect(service().state.agents[0]).toMatchObject({
      name: "Registrar",
      system_prompt: lines(
        "You keep dates.",
        "Read the list.",
        "Name the source.",
        "Never promise a berth.",
        "Never promise a date.",
        "Be brief.",
      ),
      metadata: { preferences: { max_steps: 24 } },
    });
  });

  it("lets a place be written anew, shows both sides and the result, and takes a choice back", async () => {
    const { user } = await refusedSave({
      system_prompt: lines(
        "You keep dates.",
        "Read the list.",
        "Name the source.",
        "Never promise a date.",
        "Be brief.",
      ),
    });
    await user.click(screen.getByRole("button", { name: "Rewrite" }));
    const field = screen.getByRole("textbox", { name: "Rewritten lines" });
    await user.clear(field);
    await user.type(field, "Promise nothing.");
    await user.click(screen.getByRole("button", { name: "Use these lines" }));
    await user.click(screen.getByRole("radio", { name: "Result only" }));
    expect(screen.getByRole("region", { name: "Result of System prompt" })).toHaveTextContent(
      /Promise nothing\./,
    );
    await user.click(screen.getByRole("radio", { name: "Side by side" }));
    expect(screen.getByRole("region", { name: "Theirs" })).toHaveTextContent("Never promise a date.");
    await user.click(screen.getByRole("radio", { name: "Merged" }));
    await user.click(screen.getByRole("button", { name: "Undo choice" }));
    expect(screen.getByText("1 conflict left.")).toBeInTheDocument();
  });

  it("keeps the choices with the draft when the page is left and opened again", async () => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    const { user, router } = await refusedSave({
      system_prompt: lines(
        "You keep dates.",
        "Read the list.",
        "Name the source.",
        "Never promise a date.",
        "Be brief.",
      ),
    });
    await user.click(screen.getByRole("button", { name: "Use theirs" }));
    await user.click(screen.getByRole("button", { name: "Keep as draft" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk"));
    await router.navigate({
      to: "/agents/$agentId/settings",
      params: { agentId: "agent_clerk" },
      search: { view: "merge" },
    });
    await screen.findByText("No conflicts left.");
    expect(screen.getByRole("button", { name: "Using theirs" })).toHaveAttribute("aria-pressed", "true");
  });

  it("saves nothing while something typed is not valid yet: it would be gone with the draft", async () => {
    service().state.agents = [anAgent({ version: 14, resources: [] })];
    takeChanges(service());
    const { user, wheelhouse, router } = renderConsole(address);
    await user.type(await screen.findByRole("textbox", { name: "Name" }), " of berths");
    changeElsewhere(service(), { description: "Keeps dates." });
    await wheelhouse.queries.invalidateQueries();
    await user.click(await screen.findByRole("button", { name: "Merge, then save" }));
    await screen.findByText("No conflicts left.");
    await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Back to settings" }));
    await writeInto("Resources as JSON", '[{"id": "doc_1"');
    router.history.back();
    await screen.findByRole("navigation", { name: "Fields to merge" });
    await user.click(saveButton(16));
    expect(bodies()).toEqual([]);
    expect(saveButton(16)).toHaveAccessibleDescription("Fix the resources first: the value is not valid.");
  });

  it("asks tool by tool where both changed the same one", async () => {
    service().state.agents = [anAgent({ version: 14, tools: [almanac] })];
    takeChanges(service());
    const { user, wheelhouse } = renderConsole(address);
    await user.click(await screen.findByRole("radio", { name: "Asks first" }));
    changeElsewhere(service(), { tools: [] });
    await wheelhouse.queries.invalidateQueries();
    await user.click(await screen.findByRole("button", { name: "Merge, then save" }));
    const table = within(await screen.findByRole("table", { name: "Tools in the merge" }));
    expect(
      table.getByRole("row", { name: /almanac.*all tools, no approval.*all tools, asks first.*removed/ }),
    ).toBeInTheDocument();
    await user.click(table.getByRole("radio", { name: "Theirs" }));
    // Nothing of mine is left, and the page says so instead of sending an empty change.
    await user.click(screen.getByRole("button", { name: "Use theirs" }));
    await waitFor(() => expect(screen.getByText("No changes")).toBeInTheDocument());
    expect(bodies()).toEqual([]);
  });
});
