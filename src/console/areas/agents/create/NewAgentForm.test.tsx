import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../../../contract/agents.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse } from "../../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();

describe("what is typed for a new agent", () => {
  it("is there again, also where an earlier version kept it, and stays when the name is missing", async () => {
    const browser = { store: memoryStore() };
    const { drafts } = signedInWheelhouse({}, browser).api;
    await drafts.set("new agent", { name: "Scribe", prompt: "Be brief.", description: 7 });
    const { user } = renderConsole("/agents/new", { browser });
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("Scribe"));
    expect(screen.getByRole("textbox", { name: "System prompt" })).toHaveValue("Be brief.");
    await user.clear(screen.getByRole("textbox", { name: "Name" }));
    await user.tab();
    expect(await screen.findByText("An agent needs a name")).toBeInTheDocument();
    await waitFor(async () => {
      const again = signedInWheelhouse({}, browser).api.drafts;
      await again.load();
      expect(again.get("new agent")).toEqual({ system_prompt: "Be brief." });
    });
    expect(service().seen(createAgent)).toHaveLength(0);
  });

  it("is refused where it was typed, and no draft any more once it is as it began", async () => {
    service().override(
      createAgent,
      new Refusal("invalid_body", { param: "system_prompt", message: "Too long." }),
    );
    const { user } = renderConsole("/agents/new");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Scribe");
    await user.type(screen.getByRole("textbox", { name: "System prompt" }), "x");
    await user.click(screen.getByRole("button", { name: "Create agent" }));
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "System prompt" })).toHaveAccessibleDescription("Too long."),
    );
    await user.clear(screen.getByRole("textbox", { name: "System prompt" }));
    await user.clear(screen.getByRole("textbox", { name: "Name" }));
    await waitFor(() => expect(screen.queryByText("Draft saved on this device")).toBeNull());
  });

  it("may be an agent already where the service failed, which is not called late", async () => {
    service().override(createAgent, new Refusal("internal"));
    const { user } = renderConsole("/agents/new");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Scribe");
    await user.click(screen.getByRole("button", { name: "Create agent" }));
    const unsure = await screen.findByText("It may have been created anyway");
    expect(unsure.parentElement).toHaveTextContent(/We couldn’t confirm either way\. Check the list/);
    expect(screen.queryByText(/in time/)).toBeNull();
  });
});
