import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getOwnRoles } from "../../../../contract/admin.ts";
import { getDiagnostics } from "../../../../contract/diagnostics.ts";
import { withAdmin } from "../../../../testing/admin.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const finding = (check: string, state: string, found: string, action: string | null = null) => ({
  ...{ check, state, found, action },
});
const looked = (findings: ReturnType<typeof finding>[]) =>
  ({ version: "0.1.0", looked_at: "2026-11-20T08:15:04.123Z", findings }) as never;

describe("the health of the installation", () => {
  it("shows what is wrong and what to do, the worst first", async () => {
    withAdmin(service());
    service().override(
      getDiagnostics,
      looked([
        finding("database.reach", "ok", "It answers"),
        finding("disk", "warning", "1.2 GB are free on /srv", "Make room"),
        finding("mcp.drive", "problem", "Drive does not answer", "Look at its address in mcp.json"),
        finding("models.local", "skipped", "No model is set"),
        finding("tides.high", "flooded", "Something that a newer service looks at"),
      ]),
    );
    renderConsole("/admin?tab=health");
    expect(await screen.findByRole("heading", { name: "1 problem, 1 warning" })).toBeInTheDocument();
    const rows = screen.getAllByRole("row").slice(1);
    expect(rows.map((row) => within(row).getAllByRole("cell")[1]?.textContent)).toEqual([
      "MCP server: drive",
      "Disk",
      "Model: local",
      "tides: high",
      "Database: reach",
    ]);
    expect(rows[0]).toHaveTextContent(
      "ProblemMCP server: driveDrive does not answerLook at its address in mcp.json.",
    );
  });

  it("C-01: says nothing of a version that the service did not say", async () => {
    withAdmin(service());
    service().override(getDiagnostics, () => Response.json({ ...Object(looked([])), version: ["odd"] }));
    renderConsole("/admin?tab=health");
    expect(
      await screen.findByText("wheelhouse doctor says the same on the command line"),
    ).toBeInTheDocument();
  });

  it("is looked at once more when asked to, and never by itself", async () => {
    withAdmin(service());
    service().override(getDiagnostics, looked([finding("node", "ok", "Node.js 20.19.0")]));
    const { user } = renderConsole("/admin?tab=health");
    expect(await screen.findByRole("heading", { name: "All is well" })).toBeInTheDocument();
    expect(service().seen(getDiagnostics)).toHaveLength(1);
    service().override(
      getDiagnostics,
      looked([finding("secret", "problem", "It is too short", "Make another")]),
    );
    await user.click(screen.getByRole("button", { name: "Check again" }));
    expect(await screen.findByRole("heading", { name: "1 problem" })).toBeInTheDocument();
    expect(service().seen(getDiagnostics)).toHaveLength(2);
  });

  it("is not offered to those who are no admins, with the reason where they look for it", async () => {
    withAdmin(service());
    service().override(getOwnRoles, { user: null, role: "member", teams: [] });
    renderConsole("/admin?tab=health");
    expect(await screen.findByText("Only admins see this")).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Health" })).toBeNull();
    expect(service().seen(getDiagnostics)).toHaveLength(0);
  });
});
