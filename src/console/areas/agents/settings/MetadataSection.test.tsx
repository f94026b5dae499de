import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

describe("the preferences of an agent", () => {
  it("say how many tokens an answer may have, or leave it to the model", async () => {
    service().state.agents = [anAgent({ version: 14, metadata: { preferences: { max_tokens: 4000 } } })];
    takeChanges(service(), []);
    const { user } = renderConsole("/agents/agent_clerk/settings");
    const field = await screen.findByRole("textbox", { name: "Max answer tokens" });
    expect(field).toHaveValue("4000");
    await user.clear(field);
    expect(field).toHaveAttribute("placeholder", "default");
    await user.type(field, "0");
    await screen.findByText("A whole number from 1 to 1000000");
    await user.clear(field);
    await user.type(field, "8000");
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
    expect(service().seen(updateAgent).at(-1)?.body).toEqual({
      version: 14,
      metadata: { preferences: { max_tokens: 8000 } },
    });
  });
});
