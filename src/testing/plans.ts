import type pg from "pg";
import { startService, type TestService } from "./service.ts";

/** A node of a plan, as PostgreSQL writes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How one statement read a table, as it really happened. */
export interface Scan {
  readonly statement: string;
  /** Such as `Seq Scan` or `Index Only Scan`. */
  readonly how: string;
  readonly table: string;
  readonly index: string | null;
  /** Rows that it looked at, those that it left out included. */
  readonly rows: number;
}

/** A service whose database tells how each statement was done. */
export interface ExplainedService {
  readonly service: TestService;
  /** Does something. @returns every scan of a table or index in it */
  scansOf(action: () => Promise<unknown>): Promise<readonly Scan[]>;
}

const settings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
};

/**
 * Starts a service that executes nothing, for `scansOf`.
 * @param within also what functions and triggers ask
 */
export async function startExplained({ within = false } = {}): Promise<ExplainedService> {
  const all = { ...settings, "auto_explain.log_nested_statements": within ? "on" : "off" };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  const service = await startService({
    work: false,
    through: async (url) => `${url}&options=${encodeURIComponent(options.join(" "))}`,
  });
  const { pool } = service.context.store;
  let told: string[] = [];
  const heard = new WeakSet<pg.PoolClient>();
  // Whoever takes a connection: one that the service's own work holds now is heard from when it is next taken.
  pool.on("acquire", (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on("notice", ({ message }) => told.push(message ?? ""));
  });
  return {
    service,
    async scansOf(action) {
      told = [];
      await action();
      return told.flatMap(scansIn);
    },
  };
}

function scansIn(notice: string): Scan[] {
  const json = notice.slice(notice.indexOf("{"));
  if (!notice.includes("plan:")) return [];
  const told: { readonly "Query Text": string; readonly Plan: PlanNode } = JSON.parse(json);
  const scans: Scan[] = [];
  const walk = (node: PlanNode, above: string | undefined) => {
    // Of a bitmap the scan above names the table.
    const table = node["Relation Name"] ?? (node["Node Type"] === "Bitmap Index Scan" ? above : undefined);
    const each =
      node["Actual Rows"] +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0);
    if (table !== undefined) {
      scans.push({
        statement: told["Query Text"].replace(/\s+/g, " ").trim(),
        how: node["Node Type"],
        table,
        index: node["Index Name"] ?? null,
        rows: Math.round(each * node["Actual Loops"]),
      });
    }
    for (const child of node.Plans ?? []) walk(child, table ?? above);
  };
  walk(told.Plan, undefined);
  return scans;
}
