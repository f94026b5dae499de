import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toJson } from "../service/store/json.ts";
import { type AgentService, startAgentService } from "./agents.ts";
import { startMcpServer, type TestMcpServer } from "./mcp-server.ts";
import type { TestServiceOptions } from "./service.ts";
import { startTraceCollector, type TraceCollector } from "./trace-collector.ts";
import { until } from "./until.ts";

/** A service whose traces a collector gets, with a web server and an MCP server that note what they are sent. */
export interface TracedService {
  readonly app: AgentService;
  readonly collector: TraceCollector;
  readonly mcp: TestMcpServer;
  /** Of the web server. */
  readonly web: string;
  /** The headers of each request that it got, by path. */
  readonly asked: ReadonlyMap<string, IncomingHttpHeaders>;
  /** How the web server answers from now on, by path; 0: not at all. Else 200. */
  readonly statuses: Map<string, number>;
  /** Stores a flow of Kim's. */
  addFlow(id: string, nodes: readonly object[]): Promise<void>;
  /** Starts a flow of Kim's and waits for its end. @returns the run's id */
  run(flowId: string, headers?: HeadersInit): Promise<string>;
  stop(): Promise<void>;
}

export async function startTracedService(
  variables: Readonly<Record<string, string>> = {},
  options: TestServiceOptions = {},
): Promise<TracedService> {
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-traces-"));
  const collector = await startTraceCollector();
  const mcp = await startMcpServer();
  const asked = new Map<string, IncomingHttpHeaders>();
  const statuses = new Map<string, number>();
  const web = createServer((request, response) => {
    const path = request.url ?? "";
    asked.set(path, request.headers);
    const status = statuses.get(path) ?? 200;
    if (status !== 0) response.writeHead(status, { "content-type": "text/plain" }).end("seen");
  });
  await new Promise<void>((listening) => web.listen(0, "127.0.0.1", listening));
  const { port } = web.address() as AddressInfo;
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers: { near: { url: mcp.url } } }));
  const person = "{ id: user_kim, email: kim@example.org, first_name: Kim, last_name: Test, plan: pro }";
  writeFileSync(
    join(workspace, "wheelhouse.yaml"),
    `people:\n  - ${person}\nallow_private: ["127.0.0.1:${port}"]\n`,
  );
  const app = await startAgentService({
    ...{ workspace, empty: false, traces: collector.settings(variables) },
    ...options,
  });
  const { db } = app.context.store;
  const readRun = (id: string) =>
    db.selectFrom("executions").select("finished_at").where("id", "=", id).executeTakeFirst();
  return {
    ...{ app, collector, mcp, asked, statuses },
    web: `http://127.0.0.1:${port}`,
    async addFlow(id, nodes) {
      const row = { id, user_id: "user_kim", team_id: null, name: `Flow ${id}`, removed_at: null };
      await db
        .insertInto("saved_items")
        .values({ ...row, definition: toJson(JSON.parse(JSON.stringify({ nodes }))) })
        .execute();
    },
    async run(flowId, headers) {
      const query = `user_id=user_kim&saved_item_id=${flowId}`;
      const { body } = await app.call("kim", "POST", `/start_pipeline?${query}`, {}, headers);
      await until(`the end of ${body.run_id}`, async () => (await readRun(body.run_id))?.finished_at != null);
      return body.run_id;
    },
    async stop() {
      await app.stop();
      web.closeAllConnections();
      web.close();
      await mcp.close();
      await collector.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}
