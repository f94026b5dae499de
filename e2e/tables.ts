import type { Page } from "@playwright/test";
import { agent, run, runSummary, session } from "../src/testing/hostile/examples.ts";
import type { HostileAnswer, HostileRequest } from "../src/testing/hostile/server.ts";

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const creator = {
  id: "u_hostile",
  first_name: "Ines",
  last_name: "Okoye",
  email: null,
  profile_picture: null,
};

/** Names as people give them: most short, one that fills a narrow column. */
const names = ["Google Drive", "Slack", "Customer relations", "Berth planning for the north quay", "Notes"];

const servers = names.map((name, at) => ({
  server_id: `srv_${at}`,
  ...{ name, type: at % 2 === 0 ? "gumcp_server" : "mcp_server", icon_url: null },
  ...{ status: at === 0 ? "connected" : "unauthenticated", description: `Works with ${name} for you` },
  ...{ service_auth_url: "/mcp", mcp_url: null, tool_count: 12, allowed_tool_call_ids: null },
}));
const agents = names.map((name, at) => ({
  ...{ ...agent, id: `ag_${at + 1}`, name, creator, team_id: at % 2 === 0 ? null : "t_1" },
}));
const sessions = names.map((name, at) => ({
  ...{ ...session, id: `int_${at + 1}`, name, creator, created_at: ago(at * 700) },
}));
const runs = names.map((name, at) => ({
  ...{ ...runSummary, run_id: `run_${at + 1}`, saved_item_id: `flow_${at + 1}`, saved_item_name: name },
  ...{ state: at % 2 === 0 ? "DONE" : "FAILED", created_ts: ago(at * 300 + 1), finished_ts: ago(at * 300) },
}));
const artifacts = [...names, names[0]].map((name, at) => ({
  ...{ id: `art_${at}`, version_id: `ver_${at}`, major_version: at === 0 ? 2 : 1, agent_id: "ag_1" },
  ...{ session_id: at === 5 ? "int_1" : `int_${at + 1}`, filename: `${name}.csv`, created_at: ago(at * 90) },
  ...{ metadata: { media_type: "text/csv", size: 48_060 }, url: "https://files.example.test/1", creator },
}));
const access = {
  ...{ people: [{ email: "ines@example.test", name: "Ines Okoye", role: "owner" }], teams: [] },
  ...{ password_protected: false, organization_access: null, link: "anyone", link_role: "viewer" },
  ...{ grants_visibility: "full", link_url: "https://files.example.test/shared/1" },
};
const results = names.map((name, at) => ({
  ...{ evaluation_id: `evl_${at}`, interaction_id: `int_${at + 1}`, session_name: name, agent_id: "ag_1" },
  ...{ created_ts: ago(at * 400), status: "completed", grade: at % 2 === 0 ? "pass" : "needs_attention" },
  ...{ sentiment: null, summary: "The answer was short and true.", data_results: [], applied_tags: ["LATE"] },
  criteria_results: names.slice(0, 3).map((each, of) => ({
    ...{ id: `c${of}`, name: each, type: "yes_no", priority: "needs_review", rationale: null },
    result: at % 2 === 0 ? "success" : "failure",
  })),
}));
const rubrics = names.map((name, at) => ({
  ...{ id: `evaluation_${at}`, name, description: "For all agents", enabled: true, config: { criteria: [] } },
  ...{ created_at: ago(900), updated_at: ago(800) },
}));
const source = {
  ...{ id: "src_1", name: "Handbook", scope: "personal", team_id: null, is_draft: false, is_active: true },
  ...{ status: "active", created_by_user_id: "u_hostile", created_at: ago(900), creator, document_count: 5 },
};
const files = names.map((name, at) => ({
  ...{ id: `file_${at}`, file_name: `${name}.md`, status: "indexed", size: 2_400, sha256: null },
  ...{ page_count: null, tokens: 1_200, credits: 0.4, url: "https://files.example.test/1" },
}));

const extensions = [
  ...["artifact_access", "artifact_download", "artifacts", "capabilities", "evaluation_results"],
  ...["evaluations", "flow_inputs", "knowledge_files", "knowledge_sources", "live_messages", "mcp_server"],
  ...["mcp_tools", "run_details", "run_map", "runs", "saved_items", "sessions", "shared_links", "teams"],
];
const lists: readonly (readonly [RegExp, unknown])[] = [
  [/^\/capabilities$/, { service: "tables", version: "1", extensions }],
  [/^\/mcp\/servers$/, { servers }],
  [/^\/mcp\/servers\/[^/]+$/, { server: servers[0] }],
  [/^\/mcp\/servers\/[^/]+\/tools$/, { tools: [] }],
  [/^\/agents$/, { agents, next_cursor: null }],
  [/^\/agents\/[^/]+\/sessions$/, { sessions, next_cursor: null }],
  [
    /^\/agents\/[^/]+\/evaluations\/metrics$/,
    { days: 30, grades: { pass: 30, needs_attention: 4 }, tags: { LATE: 9 } },
  ],
  [/^\/agents\/[^/]+\/evaluation-config$/, { config: { criteria: [] } }],
  [/^\/agents\/[^/]+\/evaluations$/, { evaluations: results, next_cursor: null }],
  [/^\/evaluations$/, { evaluations: rubrics, next_cursor: null }],
  [/^\/runs$/, { runs, next_cursor: null }],
  [/^\/get_pl_run$/, { ...run, run_id: "run_1" }],
  [/\/artifacts$/, { artifacts, next_cursor: null }],
  [/^\/artifacts\/[^/]+\/access$/, { access }],
  [/^\/brain\/sources$/, { sources: [source], next_cursor: null }],
  [/^\/brain\/sources\/[^/]+$/, { source: { ...source, files } }],
  [/^\/brain\/sources\/[^/]+\/files$/, { files, next_cursor: null }],
];

/** What a service with a little of everything answers. */
export function answerWithTables({ method, path }: HostileRequest): HostileAnswer {
  const [, json] = (method === "GET" && lists.find(([pattern]) => pattern.test(path))) || [];
  return json === undefined ? {} : { json };
}

/** Every table of the console: where it is, and its name. */
export const tables: readonly { readonly address: string; readonly name: string }[] = [
  { address: "/agents", name: "Agents" },
  { address: "/agents?agent=ag_1", name: "Agents" },
  { address: "/agents/ag_1", name: "Conversations" },
  { address: "/agents/ag_1/evaluations", name: "Criteria" },
  { address: "/agents/ag_1/evaluations", name: "Results" },
  { address: "/artifacts", name: "Artifacts" },
  { address: "/artifacts/shared", name: "Shared artifacts" },
  { address: "/evaluations", name: "Evaluations by agent" },
  { address: "/evaluations?tab=rubrics", name: "Saved rubrics" },
  { address: "/knowledge/src_1", name: "Files" },
  { address: "/mcp", name: "MCP servers" },
  { address: "/mcp?server=srv_0", name: "MCP servers" },
  { address: "/runs", name: "Runs" },
  { address: "/runs?run=run_1", name: "Runs" },
];

/** A name of fewer characters is to be read whole in any table. */
const shortName = 20;
/** What a column may keep for longer values than it has now, in px. */
const reserve = 24;

/** What is wrong with the widths of a table, in words. */
export function widthsOf(page: Page, name: string): Promise<readonly string[]> {
  return page.evaluate(
    ([label, short, kept]) => {
      const table = document.querySelector<HTMLTableElement>(`table[aria-label="${label}"]`);
      if (!table) return ["it is not there"];
      const found: string[] = [];
      const widthOf = (element: Element) => element.getBoundingClientRect().width;
      // Where there is no room for both, the panel stands in place of the list.
      if (widthOf(table) === 0) return [];
      const room = table.parentElement?.clientWidth ?? 0;
      if (Math.abs(widthOf(table) - room) > 1) found.push(`it takes ${widthOf(table)} of ${room} px`);
      const isShown = (element: Element) => widthOf(element) > 0;
      const heads = [...(table.tHead?.rows[0]?.cells ?? [])].filter(isShown);
      const columns = heads.reduce((sum, head) => sum + widthOf(head), 0);
      if (Math.abs(columns - widthOf(table)) > 1)
        found.push(`its columns take ${columns} of ${widthOf(table)} px`);

      const paddingOf = (cell: Element) => {
        const { paddingLeft, paddingRight } = getComputedStyle(cell);
        return { left: Number.parseFloat(paddingLeft), right: Number.parseFloat(paddingRight) };
      };
      const needOf = (cell: Element) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const { left, right } = paddingOf(cell);
        return range.getBoundingClientRect().width + left + right;
      };
      const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")]
        .map((row) => [...row.cells].filter(isShown))
        .filter((cells) => cells.length === heads.length);
      if (rows.length === 0) found.push("it has no rows");
      const spare = heads.map((head, at) => {
        const needs = [head, ...rows.flatMap((cells) => cells[at] ?? [])].map(needOf);
        return Math.max(0, widthOf(head) - Math.max(...needs) - kept);
      });
      for (const cells of rows) {
        const at = cells.findIndex((cell) => cell.querySelector("bdi, a") !== null);
        const cell = cells[at];
        const text = cell?.querySelector("bdi, a");
        if (!cell || !text) {
          found.push(`a row has no name: ${cells[0]?.parentElement?.textContent}`);
          continue;
        }
        let edge = cell.getBoundingClientRect().right - paddingOf(cell).right;
        for (let one = text.parentElement; one && one !== cell; one = one.parentElement)
          if (getComputedStyle(one).overflowX === "hidden")
            edge = Math.min(edge, one.getBoundingClientRect().right);
        const cut = Math.round(text.getBoundingClientRect().right - edge);
        const free = Math.round(spare.reduce((sum, each, of) => (of === at ? sum : sum + each), 0));
        if (cut > 1 && (free >= cut || (text.textContent ?? "").length < short))
          found.push(`"${text.textContent}" is cut by ${cut} px, ${free} px are free`);
      }
      return found;
    },
    [name, shortName, reserve] as const,
  );
}
