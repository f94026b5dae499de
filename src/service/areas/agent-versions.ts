import type { Selectable } from "kysely";
import type { AgentVersionSummary } from "../../contract/agents.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { type AgentRow, seenAgent, shownId } from "../agents/agent-rows.ts";
import { loadPeople, type PersonRow, showAgent, showPerson } from "../agents/agent-view.ts";
import { ServiceError } from "../service-error.ts";
import type { AgentVersionsTable } from "../store/schema-agents.ts";
import type { Handlers } from "./handler.ts";
import { cutPage, readCursor } from "./page.ts";

type Versions = Pick<Handlers<typeof endpoints>, "listAgentVersions" | "getAgentVersion">;
type VersionRow = Omit<Selectable<AgentVersionsTable>, "content">;
/** Of a list. The content of each is as large as an agent, and not read for it. */
const listed = ["agent_id", "version", "changed", "user_id", "created_at"] as const;

function showVersion(
  agent: AgentRow,
  row: VersionRow,
  people: ReadonlyMap<string, PersonRow>,
): AgentVersionSummary {
  const creator = row.user_id === null ? undefined : people.get(row.user_id);
  return {
    id: `${shownId(agent)}.${row.version}`,
    major_version: row.version,
    is_deployed: row.version === agent.version,
    created_at: row.created_at.toISOString(),
    creator: creator === undefined ? null : showPerson(creator),
    changed: [...row.changed],
  };
}

/** Public: newest first. */
const listAgentVersions: Versions["listAgentVersions"] = async (context, { caller, params, query }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const { db } = context.store;
  const size = query.page_size ?? 20;
  let rows = db.selectFrom("agent_versions").select(listed).where("agent_id", "=", agent.id);
  if (query.cursor !== undefined) {
    const end = readCursor("agent_versions", query.cursor, /^\d{1,9}$/);
    rows = rows.where("version", "<", Number(end.key));
  }
  const kept = await rows
    .orderBy("version", "desc")
    .limit(size + 1)
    .execute();
  const page = cutPage(kept, size, "agent_versions", (row) => ({ key: String(row.version), id: "" }));
  const people = await loadPeople(
    db,
    page.rows.map((row) => row.user_id),
  );
  const versions = page.rows.map((row) => showVersion(agent, row, people));
  return { type: "body", body: { versions, next_cursor: page.next_cursor } };
};

/** Public: the agent as it was; what no version keeps (its id, owner, age) is as it is now. */
const getAgentVersion: Versions["getAgentVersion"] = async (context, { caller, params }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const { db } = context.store;
  const row = await db
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agent.id)
    .where("version", "=", params.version)
    .executeTakeFirst();
  if (row === undefined) {
    throw new ServiceError("not_found", { message: "There is no such version.", param: "version" });
  }
  const people = await loadPeople(db, [row.user_id]);
  const then: AgentRow = { ...agent, ...row.content, version: row.version };
  return {
    type: "body",
    body: { version: showVersion(agent, row, people), agent: await showAgent(db, then) },
  };
};

export const agentVersionHandlers: Versions = { listAgentVersions, getAgentVersion };
