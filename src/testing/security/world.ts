import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../../service/context.ts";
import { startMcpServer, type TestMcpServer } from "../mcp-server.ts";
import { startService, type TestService, type TestServiceOptions } from "../service.ts";
import { addAgents } from "./objects.ts";
import type { Parts } from "./operations.ts";
import { addCredentials, type Column, type InvalidCredential, principals } from "./people.ts";

/** An answer with its body as text, so that two can be compared byte by byte. */
export interface RecordedAnswer {
  readonly status: number;
  readonly text: string;
  /** Without what differs in every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The code of an error, as the catalogue names it or the flat value; "" without one. */
  readonly error: string;
}

/** A service with every kind of credential, people in two teams, and MCP servers of both. Nothing is worked on. */
export interface World {
  readonly service: TestService;
  readonly context: Context;
  readonly mcp: TestMcpServer;
  readonly credentials: Readonly<Record<Column | InvalidCredential, string | null>>;
  /** Calls an operation; people send their own id as `x-auth-key`. */
  ask(operation: EndpointName, credential: Column | InvalidCredential, parts: Parts): Promise<RecordedAnswer>;
  /** Everything that the database holds of the service, by table. Equal texts: nothing has changed. */
  everything(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

const differs = new Set(["date", "x-request-id", "connection", "keep-alive", "content-length"]);

export async function startWorld(options: TestServiceOptions = {}): Promise<World> {
  const mcp = await startMcpServer();
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-security-"));
  const { url } = mcp;
  const mcpServers = {
    open: { url },
    ones: { url, teams: ["team_one"] },
    twos: { url, teams: ["team_two"] },
  };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.com, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  const service = await startService({ workspace, work: false, ...options });
  const { context } = service;
  const credentials = await addCredentials(context.store);
  await addAgents(context);
  return {
    service,
    context,
    mcp,
    credentials,
    async ask(operation, credential, parts) {
      const { method, body } = endpoints[operation];
      const headers: Record<string, string> = { ...parts.headers };
      const secret = credentials[credential];
      if (credential === "malformed") headers.authorization = "Basic dXNlcjpwYXNz";
      else if (secret !== null) headers.authorization = `Bearer ${secret}`;
      const userId = credential in principals ? principals[credential as Column].userId : "user_fay";
      if (userId !== null && credential !== "token") headers["x-auth-key"] = userId;
      return recordAnswer(
        await service.send(
          null,
          method,
          addressOf(operation, parts),
          body === null ? undefined : (parts.body ?? {}),
          headers,
        ),
      );
    },
    everything: () => dump(context),
    async stop() {
      await service.stop();
      await mcp.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

/** Path and query of a request, from the root of the service. */
export function addressOf(operation: EndpointName, { params = {}, query = {} }: Parts): string {
  const { base, path: pattern } = endpoints[operation];
  const path =
    base + pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Reads an answer to its end. */
export async function recordAnswer(response: Response): Promise<RecordedAnswer> {
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  const json: unknown = response.headers.get("content-type")?.startsWith("application/json")
    ? JSON.parse(text)
    : null;
  const found = typeof json === "object" && json !== null && "error" in json ? json.error : "";
  const error = typeof found === "object" && found !== null && "code" in found ? found.code : found;
  return {
    status: response.status,
    text,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !differs.has(name))),
    error: String(error ?? ""),
  };
}

/**
 * When a key was last used is written behind requests and is no effect of any; nor is that an entry of the audit log gets its
 * place in the chain, a moment after it was written, or how
 * often strangers were counted, which becomes an entry when their minute is over.
 */
const entries = sql`(select entry::text from (select entry::text from audit_pending union all select entry::text from audit_log) entry
  where entry::json ->> 'by' <> 'unknown')`;
async function dump({ store }: Context): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables
     where schemaname = 'public' and tablename not in ('audit_head', 'audit_counts', 'audit_log', 'guesses') order by 1`.execute(
    store.db,
  );
  const one = ({ name }: { name: string }) => sql`
    select ${name}::text as name,
           coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, e'\n' order by to_jsonb(t)::text), '') as rows
      from ${name === "audit_pending" ? entries : sql.table(name)} t`;
  const { rows } = await sql<{
    name: string;
    rows: string;
  }>`${sql.join(tables.rows.map(one), sql` union all `)}`.execute(store.db);
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}
