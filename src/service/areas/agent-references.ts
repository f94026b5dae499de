import { sql } from "kysely";
import type { AgentChange } from "../../contract/agents.ts";
import type { AgentRow } from "../agents/agent-rows.ts";
import type { Context } from "../context.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { maySee } from "../permission/owned.ts";
import { readableSources, readerOf } from "../permission/sources.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller } from "./handler.ts";
import { seenServers } from "./mcp.ts";

/**
 * Refuses tools that name a flow, an MCP server or a knowledge source which the caller may not see. What the agent already
 * has may stay: a colleague who edits another tool of the list need not see everything in it.
 * @throws ServiceError `not_found` naming the field
 */
export async function checkReferences(
  context: Context,
  caller: Caller,
  current: Pick<AgentRow, "tools"> | null,
  change: Pick<AgentChange, "tools">,
): Promise<void> {
  const before = (current?.tools ?? []).filter(isJsonObject);
  const flows = new Set(before.map((tool) => tool.saved_item_id));
  const servers = new Set(before.map((tool) => tool.server_id));
  const seen = new Set(seenServers(context, caller, null).map(({ id }) => id));
  for (const [index, { saved_item_id: flowId, server_id: serverId }] of (change.tools ?? []).entries()) {
    if (flowId != null && !flows.has(flowId)) {
      await checkFlow(context, caller, flowId, `tools.${index}.saved_item_id`);
      flows.add(flowId);
    }
    if (serverId != null && !servers.has(serverId) && !seen.has(serverId)) {
      const param = `tools.${index}.server_id`;
      throw new ServiceError("not_found", { message: `${param}: there is no such MCP server.`, param });
    }
  }
  await checkSources(context, caller, before, change);
}

async function checkSources(
  { store }: Context,
  caller: Caller,
  before: readonly JsonObject[],
  { tools }: Pick<AgentChange, "tools">,
): Promise<void> {
  const known = new Set(before.flatMap(sourceIds));
  const named = (tools ?? []).map((tool) => sourceIds(tool).filter((id) => !known.has(id)));
  const ids = [...new Set(named.flat())];
  if (ids.length === 0) return;
  const rows = await store.db
    .selectFrom("knowledge_sources as source")
    .select("source.id")
    // One parameter, however many there are.
    .where(sql<boolean>`source.id = any(${ids}::text[])`)
    .where(readableSources(readerOf(caller), "source"))
    .execute();
  const seen = new Set(rows.map(({ id }) => id));
  for (const [index, list] of named.entries()) {
    if (list.every((id) => seen.has(id))) continue;
    const param = `tools.${index}.source_ids`;
    throw new ServiceError("not_found", { message: `${param}: there is no such knowledge source.`, param });
  }
}

function sourceIds(tool: { readonly [key: string]: unknown }): string[] {
  const list = Array.isArray(tool.source_ids) ? tool.source_ids : [];
  return list.filter((id) => typeof id === "string");
}

async function checkFlow(context: Context, caller: Caller, id: string, param: string): Promise<void> {
  const flow = await context.flows.find(id);
  if (flow === null || !maySee(caller, flow.owner)) {
    throw new ServiceError("not_found", { message: `${param}: there is no such saved item.`, param });
  }
}
