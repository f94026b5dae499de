import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { type AuditEntry, exportAudit, listAudit } from "../../../../contract/audit.ts";
import { withAdmin } from "../../../../testing/admin.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import * as files from "../../../lib/files.ts";

const service = mockServicePerTest();
const ada = { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" };

const entry = (part: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: "12", at: "2026-11-20T08:15:04.123Z", action: "agent.update" },
  by: { kind: "person", user: ada, team: null, name: null },
  ...{ for_user: null, credential: { id: "tok_1", kind: "token" }, program: null },
  object: { kind: "agent", id: "agent_clerk", name: "Clerk" },
  team_id: "team_harbor",
  changes: [
    { field: "name", shown: true, before: "Clark", after: "Clerk" },
    { field: "system_prompt", shown: false, before: null, after: null },
  ],
  ...{ count: 1, from: { address: "192.0.2.7", user_agent: "curl/8.5.0" }, request_id: "req_1" },
  ...part,
});

const refused = entry({
  ...{ id: "11", action: "session.refuse", count: 7, credential: null, changes: [] },
  by: { kind: "unknown", user: null, team: null, name: null },
  object: { kind: "session", id: null, name: "sign-in link" },
});

const panel = async () => within(await screen.findByRole("region", { name: "The selected entry" }));
const asked = () => service().seen(listAudit).at(-1)?.url.searchParams;

describe("the audit log", () => {
  it("shows who did what, and of the chosen entry what changed from what to what", async () => {
    withAdmin(service());
    service().override(listAudit, { entries: [entry(), refused], next_cursor: null });
    const { user } = renderConsole("/admin?tab=audit");
    await user.click(await screen.findByRole("link", { name: "Changed agent" }));
    const shown = await panel();
    const changes = within(shown.getByRole("list"));
    expect(changes.getByText("Clark").closest("del")).toBeInTheDocument();
    expect(changes.getByText("Clerk").closest("ins")).toBeInTheDocument();
    expect(changes.getByText("system prompt").closest("li")).toHaveTextContent("its value is not recorded");
    expect(shown.getByText("192.0.2.7")).toBeInTheDocument();
    expect(shown.getByRole("link", { name: "Open agent" })).toHaveAttribute("href", "/agents/agent_clerk");
    await user.keyboard("j");
    expect(await (await panel()).findByText("7 within a minute")).toBeInTheDocument();
    expect((await panel()).getByText("No field changed")).toBeInTheDocument();
  });

  it("marks in the values of a change what would turn their letters", async () => {
    withAdmin(service());
    const changes = [{ field: "name", shown: true, before: "Clark\u202Eold", after: "Clerk\u202Enew" }];
    service().override(listAudit, { entries: [entry({ changes })], next_cursor: null });
    renderConsole("/admin?tab=audit&id=12");
    const shown = await panel();
    expect(await shown.findByText("Clark⟨U+202E⟩old")).toBeInTheDocument();
    expect(shown.getByText("Clerk⟨U+202E⟩new")).toBeInTheDocument();
  });

  it("is narrowed from its address and by hand, and goes to the history of one object", async () => {
    withAdmin(service());
    service().override(listAudit, { entries: [entry()], next_cursor: null });
    const { user } = renderConsole(
      "/admin?tab=audit&action=agent.update&from=2026-11-01&to=2026-11-02&id=12",
    );
    await panel();
    const from = new Date(2026, 10, 1).toISOString();
    const to = new Date(2026, 10, 3).toISOString();
    expect(Object.fromEntries(asked() ?? [])).toMatchObject({ action: "agent.update", from, to });
    await user.click((await panel()).getByRole("link", { name: "History of this agent" }));
    await waitFor(() => expect(asked()?.get("object_id")).toBe("agent_clerk"));
    expect(asked()?.get("action")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Clear History of agent" }));
    await waitFor(() => expect(asked()?.get("object_id")).toBeNull());
    await user.selectOptions(screen.getByRole("combobox", { name: "By" }), "By me");
    await waitFor(() => expect(asked()?.get("by")).toBe("user_ada"));
    await user.selectOptions(screen.getByRole("combobox", { name: "By" }), "By someone else…");
    const dialog = within(await screen.findByRole("dialog", { name: "Choose a person" }));
    await user.click(await dialog.findByRole("radio", { name: /Grace/ }));
    await user.click(dialog.getByRole("button", { name: "Show changes" }));
    await waitFor(() => expect(asked()?.get("by")).toBe("user_grace"));
  });

  it("saves what the filters show", async () => {
    withAdmin(service());
    service().override(listAudit, { entries: [entry()], next_cursor: null });
    service().override(exportAudit, new Response('{"position":12}\n'));
    const save = vi.spyOn(files, "saveBlob").mockImplementation(() => {});
    const { user } = renderConsole("/admin?tab=audit&action=agent.update");
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await waitFor(() => expect(save).toHaveBeenCalledOnce());
    expect(await save.mock.calls[0]?.[0].text()).toBe('{"position":12}\n');
    expect(service().seen(exportAudit)[0]?.url.searchParams.get("action")).toBe("agent.update");
    save.mockRestore();
  });

  it("says why it could not be exported", async () => {
    withAdmin(service());
    service().override(listAudit, { entries: [entry()], next_cursor: null });
    service().override(exportAudit, new Refusal("unavailable", { message: "Too busy to export." }));
    const { user } = renderConsole("/admin?tab=audit");
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await screen.findByText("The audit log was not exported");
    expect(screen.getByText(/Too busy to export\./)).toBeInTheDocument();
  });

  it("says why it is empty, and offers all entries where filters leave none", async () => {
    withAdmin(service(), { role: "member", inHarbor: null });
    service().override(listAudit, { entries: [], next_cursor: null });
    const { user } = renderConsole("/admin?tab=audit&object=team");
    await user.click(await screen.findByRole("button", { name: "Show all entries" }));
    expect(await screen.findByText("No entries yet")).toBeInTheDocument();
    expect(screen.getByText(/Admins see what everyone changes/)).toBeInTheDocument();
    expect(screen.queryByRole("combobox", { name: "By" })).toBeNull();
  });
});
