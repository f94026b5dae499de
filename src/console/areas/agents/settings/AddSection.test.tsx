import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { takeChanges, writeInto } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const field = () => screen.getByRole("textbox", { name: "Section name" });
const sections = () => within(screen.getByRole("navigation", { name: "Sections" }));
const bodies = () =>
  service()
    .seen(updateAgent)
    .map(({ body }) => body);

async function open(drops: readonly string[] = []) {
  service().state.agents = [anAgent({ version: 14, metadata: { odd: { kept: 1 } } })];
  takeChanges(service(), drops);
  const rendered = renderConsole("/agents/agent_clerk/settings");
  await screen.findByRole("textbox", { name: "Section name" });
  return rendered;
}

describe("a section of metadata that this page has no form for", () => {
  it("is added by its name and written as JSON, both checked while they are typed, and sent", async () => {
    const { user, router } = await open();
    await user.type(field(), "voice");
    expect(screen.queryByText(/Start with a letter/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Add section" }));
    expect(field()).toHaveValue("");
    expect(sections().getByRole("link", { name: /Voice edited/ })).toBeInTheDocument();
    await waitFor(() => expect(router.state.location.search).toEqual({ section: "metadata.voice" }));
    await writeInto("Voice as JSON", '{"speed": }');
    expect(screen.getByText(/Line 1, column 11/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Save as version 15" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    // Back to nothing on the way: the section stays.
    await writeInto("Voice as JSON", "{}");
    await writeInto("Voice as JSON", '{"speed": 2}');
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText("Saved as version 15.");
    expect(bodies()).toEqual([{ version: 14, metadata: { voice: { speed: 2 } } }]);
  });

  it.each([
    ["2nd", "Start with a letter."],
    ["__proto__", "Start with a letter."],
    ["a.b", "Use only letters, digits, _ and -."],
    ["odd", "This section already exists."],
    ["preferences", "This section already exists."],
    ["x".repeat(65), "Use at most 64 characters."],
  ])("is not added as %s, and says why while it is typed", async (name, words) => {
    const { user } = await open();
    await user.click(field());
    await user.paste(name);
    expect(screen.getByText(words, { selector: "p" })).toBeInTheDocument();
    expect(field()).toHaveAccessibleDescription(words);
    await user.keyboard("{Enter}");
    expect(field()).toHaveValue(name);
    expect(screen.getByText("No changes")).toBeInTheDocument();
  });

  it("is taken out again before it is saved; what the service has cannot be", async () => {
    const { user } = await open();
    await user.type(field(), "voice{Enter}");
    await writeInto("Voice as JSON", "{not yet");
    await user.click(screen.getByRole("button", { name: "Remove voice" }));
    expect(sections().queryByRole("link", { name: /Voice/ })).toBeNull();
    expect(screen.getByText("No changes")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Remove odd" })).toBeNull();
  });

  it("is said not to be kept where the service does not know it", async () => {
    const { user } = await open(["voice.speed"]);
    await user.type(field(), "voice{Enter}");
    await writeInto("Voice as JSON", '{"speed": 2}');
    await user.click(screen.getByRole("button", { name: "Save as version 15" }));
    await screen.findByText(/The service did not save metadata\.voice/);
  });
});
