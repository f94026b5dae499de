import type { AgentChange } from "../../contract/agents.ts";
import type { AgentRow } from "../agents/agent-rows.ts";
import { isRecord } from "../agents/metadata.ts";
import type { Context } from "../context.ts";
import { maySee } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller } from "./handler.ts";

/**
 * Refuses tools that name a flow which the caller may not see. What the agent already has may stay: a colleague who
 * edits another tool of the list need not see everything in it.
 * @throws ServiceError `not_found` naming the field
 */
export async function checkReferences(
  context: Context,
  caller: Caller,
  current: Pick<AgentRow, "tools"> | null,
  change: Pick<AgentChange, "tools">,
): Promise<void> {
  const kept = new Set((current?.tools ?? []).filter(isRecord).map((tool) => tool.saved_item_id));
  for (const [index, tool] of (change.tools ?? []).entries()) {
    const id = tool.saved_item_id;
    if (id == null || kept.has(id)) continue;
    const flow = await context.store.db
      .selectFrom("saved_items")
      .select(["user_id", "team_id"])
      .where("id", "=", id)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    if (flow === undefined || !maySee(caller, { ownerId: flow.user_id, teamId: flow.team_id })) {
      const param = `tools.${index}.saved_item_id`;
      throw new ServiceError("not_found", { message: `${param}: there is no such saved item.`, param });
    }
  }
}
