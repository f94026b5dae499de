import { createHash } from "node:crypto";
import { sql } from "kysely";
import { readMetadata } from "../agents/metadata.ts";
import { toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import type { AgentEntry } from "./read-workspace.ts";

/**
 * Makes the agents of the files, and takes over changes of a file where the agent was not changed through the interface
 * since its file was last taken over.
 * @returns the ids of agents whose file changed but which were kept as they are
 */
export async function loadAgents(
  tx: Tx,
  agents: readonly AgentEntry[],
  defaultModel: string,
): Promise<string[]> {
  const kept: string[] = [];
  for (const agent of agents) {
    const values = valuesOf(agent, defaultModel);
    const hash = createHash("sha256").update(JSON.stringify(values)).digest();
    const imported = await tx
      .selectFrom("workspace_agents")
      .select(["hash", "version"])
      .where("agent_id", "=", agent.id)
      .executeTakeFirst();
    if (imported && hash.equals(imported.hash)) continue;
    const row = imported
      ? await tx
          .updateTable("agents")
          .set({ ...values, version: sql`version + 1`, updated_at: sql`now()` })
          .where("id", "=", agent.id)
          .where("version", "=", imported.version)
          .returning("version")
          .executeTakeFirst()
      : await tx
          .insertInto("agents")
          .values({ id: agent.id, alias: null, folder_id: null, ...values })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returning("version")
          .executeTakeFirst();
    if (!row) kept.push(agent.id);
    else {
      await tx
        .insertInto("workspace_agents")
        .values({ agent_id: agent.id, hash, version: row.version })
        .onConflict((conflict) => conflict.column("agent_id").doUpdateSet({ hash, version: row.version }))
        .execute();
    }
  }
  return kept;
}

function valuesOf(agent: AgentEntry, defaultModel: string) {
  return {
    owner_id: agent.owner,
    team_id: agent.team ?? null,
    name: agent.name,
    description: agent.description,
    model_name: agent.model_name ?? defaultModel,
    system_prompt: agent.system_prompt,
    tools: toJson(agent.tools),
    resources: toJson(agent.resources),
    metadata: toJson(readMetadata(agent.metadata)),
  };
}
