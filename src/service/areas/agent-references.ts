import type { AgentChange } from "../../contract/agents.ts";
import type { AgentRow } from "../agents/agent-rows.ts";
import { isRecord } from "../agents/metadata.ts";
import type { Context } from "../context.ts";
import { maySee } from "../permission/owned.ts";
import { findFlow, flowOwner } from "../pipelines/find-flow.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller } from "./handler.ts";
import { seenServers } from "./mcp.ts";

/**
 * Refuses tools that name a flow or an MCP server which the caller may not see. What the agent already has may stay: a
 * colleague who edits another tool of the list need not see everything in it.
 * @throws ServiceError `not_found` naming the field
 */
export async function checkReferences(
  context: Context,
  caller: Caller,
  current: Pick<AgentRow, "tools"> | null,
  change: Pick<AgentChange, "tools">,
): Promise<void> {
  const before = (current?.tools ?? []).filter(isRecord);
  const flows = new Set(before.map((tool) => tool.saved_item_id));
  const servers = new Set(before.map((tool) => tool.server_id));
  const seen = new Set(seenServers(context, caller, null).map(({ id }) => id));
  for (const [index, { saved_item_id: flowId, server_id: serverId }] of (change.tools ?? []).entries()) {
    if (flowId != null && !flows.has(flowId))
      await checkFlow(context, caller, flowId, `tools.${index}.saved_item_id`);
    if (serverId != null && !servers.has(serverId) && !seen.has(serverId)) {
      const param = `tools.${index}.server_id`;
      throw new ServiceError("not_found", { message: `${param}: there is no such MCP server.`, param });
    }
  }
}

async function checkFlow(context: Context, caller: Caller, id: string, param: string): Promise<void> {
  const flow = await findFlow(context.store.db, id);
  if (flow === null || !maySee(caller, flowOwner(flow))) {
    throw new ServiceError("not_found", { message: `${param}: there is no such saved item.`, param });
  }
}
