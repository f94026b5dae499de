import type { DiagnosticFinding, getDiagnostics } from "../../../../contract/diagnostics.ts";
import type { DataOf } from "../../../api/client.ts";

/** A finding as the list shows it. */
export type FindingRow = Omit<DiagnosticFinding, "state"> & { readonly id: string; readonly state: string };

const severity = ["problem", "warning", "skipped", "ok"];
/** What we do not know comes after what has to be done, and before what is well. */
const rankOf = (state: string) => (severity.includes(state) ? severity.indexOf(state) : 2);

/** The findings, the worst first; those that are as bad stay in the service's order. */
export function findingRows(findings: DataOf<typeof getDiagnostics>["findings"]): readonly FindingRow[] {
  const rows = (findings ?? []).flatMap((finding, at) =>
    finding?.check && finding.found
      ? [
          {
            ...{ id: `${finding.check} ${at}`, check: finding.check, found: finding.found },
            ...{ state: finding.state ?? "unknown", action: finding.action ?? null },
          },
        ]
      : [],
  );
  return rows.sort((a, b) => rankOf(a.state) - rankOf(b.state));
}

const groups: Readonly<Record<string, string>> = {
  address: "Address",
  data: "Data directory",
  database: "Database",
  disk: "Disk",
  files: "Files",
  mcp: "MCP server",
  models: "Model",
  node: "Node.js",
  secret: "Secret",
  sign_in: "Sign-in",
  workspace: "Workspace",
};

/** What was looked at, in words: `database.clock` is `Database: clock`. */
export function subjectOf(check: string): string {
  const [group = "", ...rest] = check.split(".");
  const name = groups[group] ?? group;
  return rest.length === 0 ? name : `${name}: ${rest.join(".").replaceAll("_", " ")}`;
}
