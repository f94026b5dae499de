import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { deferred } from "../../../../testing/deferred.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse, tabChannels } from "../../../../testing/test-wheelhouse.ts";
import { agentDraftName, readAgentDraft } from "../agent/draft-store.ts";

const service = mockServicePerTest();
const address = "/agents/agent_clerk/settings";
const bodies = () =>
  service()
    .seen(updateAgent)
    .map(({ body }) => body);

describe("an agent that is edited in two tabs", () => {
  it("keeps what another tab typed while a slow save of this one was on its way, as a change of what it saved", async () => {
    const store = memoryStore();
    const openChannel = tabChannels();
    const tab = () => ({ browser: { store, draftChannel: openChannel() } });
    const { promise: released, resolve: release } = deferred();
    service().state.agents = [anAgent({ version: 14, name: "Clerk", system_prompt: "Be brief." })];
    takeChanges(service(), [], () => released);
    const { user } = renderConsole(address, tab());
    await user.type(await screen.findByRole("textbox", { name: "Name" }), " 2");
    await waitFor(() => expect(screen.getByText(/saved on this device/)).toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await waitFor(() => expect(bodies()).toHaveLength(1));

    const other = signedInWheelhouse({}, tab().browser).api;
    await other.drafts.load();
    const shared = readAgentDraft(other.drafts, "agent_clerk");
    if (!shared) throw new Error("The other tab has no draft");
    const typed = { ...shared.mine, system_prompt: "Be brief and kind." };
    await other.drafts.set(agentDraftName("agent_clerk"), { ...shared, mine: typed, at: shared.at + 1 });
    release();
    await screen.findByText("Saved as version 15.");

    await waitFor(() =>
      expect(readAgentDraft(other.drafts, "agent_clerk")).toMatchObject({
        baseVersion: 15,
        base: { name: "Clerk 2", system_prompt: "Be brief." },
        mine: { name: "Clerk 2", system_prompt: "Be brief and kind." },
      }),
    );
    expect(screen.getByText("1 field edited.")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Save as version 16" }));
    await screen.findByText("Saved as version 16.");
    expect(bodies()[1]).toEqual({ version: 15, system_prompt: "Be brief and kind." });
    await waitFor(() => expect(readAgentDraft(other.drafts, "agent_clerk")).toBeNull());
  });
});
