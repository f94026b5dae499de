import { sql } from "kysely";
import type { Artifact } from "../../contract/artifacts.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { seenAgent } from "../agents/agent-rows.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { linkLifetime, signFileLink } from "../files/signed-link.ts";
import { teamScope } from "../permission/actor.ts";
import { artifactRole } from "../permission/artifacts.ts";
import { ServiceError } from "../service-error.ts";
import { loadArtifact, seenArtifacts } from "./artifact-rows.ts";
import type { Caller, Handlers, Request } from "./handler.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";

type Artifacts = Pick<
  Handlers<typeof endpoints>,
  "listAgentArtifacts" | "listArtifacts" | "getArtifactDownload"
>;
type Filters = Request<typeof endpoints.listAgentArtifacts>["query"];
interface Scope {
  readonly agentId?: string | undefined;
  readonly teamId?: string | null;
  readonly sharedBy?: string;
}

/** §4.8 */
const listAgentArtifacts: Artifacts["listAgentArtifacts"] = async (context, { caller, params, query }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  return { type: "body", body: await list(context, caller, query, { agentId: agent.id }) };
};

/** Own: the artifacts of all agents that the caller may see, also of retired ones. */
const listArtifacts: Artifacts["listArtifacts"] = async (context, { caller, query }) => {
  const scope: Scope = {
    agentId: query.agent_id,
    teamId: teamScope(caller, query.team_id),
    ...(query.shared_by_me === true && caller.kind !== "team" ? { sharedBy: caller.userId } : {}),
  };
  return { type: "body", body: await list(context, caller, query, scope) };
};

async function list(context: Context, caller: Caller, query: Filters, scope: Scope) {
  const { db } = context.store;
  const order = query.sort_order ?? "newest";
  const name = `artifacts:${order}`;
  const byName = order === "name_asc" || order === "name_desc";
  const column = byName ? sql`lower(artifacts.filename)` : sql`artifacts.created_at`;
  const direction = order === "newest" || order === "name_desc" ? "desc" : "asc";
  let rows = db
    .selectFrom("artifacts")
    .innerJoin("artifact_versions as version", "version.id", "artifacts.version_id")
    .innerJoin("agents", "agents.id", "artifacts.agent_id")
    .selectAll("artifacts")
    .select(["version.file_id", "version.media_type", "version.size", "agents.alias"])
    .select((byName ? sql<string>`lower(artifacts.filename)` : timeKey("artifacts.created_at")).as("key"))
    .where("artifacts.removed_at", "is", null)
    .where((eb) => seenArtifacts(eb, caller));
  if (scope.agentId !== undefined) rows = rows.where("artifacts.agent_id", "=", scope.agentId);
  if (scope.teamId != null) rows = rows.where("artifacts.team_id", "=", scope.teamId);
  if (scope.sharedBy !== undefined)
    rows = rows.where("artifacts.user_id", "=", scope.sharedBy).where(isShared);
  if (query.session_id !== undefined) rows = rows.where("artifacts.interaction_id", "=", query.session_id);
  if (query.search_query !== undefined) {
    const part = query.search_query.toLowerCase();
    rows = rows.where(sql<boolean>`strpos(lower(artifacts.filename), ${part}) > 0`);
  }
  if (query.cursor !== undefined) {
    const end = readCursor(name, query.cursor, byName ? /^/ : timeKeyForm);
    const after = byName ? sql`${end.key}` : keyTime(end.key);
    const than = sql.raw(direction === "desc" ? "<" : ">");
    rows = rows.where(sql<boolean>`(${column}, artifacts.id) ${than} (${after}, ${end.id})`);
  }
  const size = query.page_size ?? 20;
  const found = await rows
    .orderBy(column, direction)
    .orderBy("artifacts.id", direction)
    .limit(size + 1)
    .execute();
  const page = cutPage(found, size, name, (row) => ({ key: row.key, id: row.id }));
  const people = await loadPeople(
    db,
    page.rows.map((row) => row.user_id),
  );
  return { artifacts: page.rows.map((row) => show(context, row, people)), next_cursor: page.next_cursor };
}

const isShared = sql<boolean>`(artifacts.organization_role is not null or artifacts.link_mode <> 'none'
  or exists (select from artifact_grants where artifact_id = artifacts.id))`;

interface Listed {
  readonly id: string;
  readonly version_id: string;
  readonly major_version: number;
  readonly agent_id: string;
  readonly alias: string | null;
  readonly interaction_id: string;
  readonly filename: string;
  readonly created_at: Date;
  readonly media_type: string;
  readonly size: number;
  readonly file_id: string;
  readonly user_id: string | null;
}

/** §2.3 */
function show(context: Context, row: Listed, people: ReadonlyMap<string, PersonRow>): Artifact {
  const creator = row.user_id === null ? undefined : people.get(row.user_id);
  return {
    id: row.id,
    version_id: row.version_id,
    major_version: row.major_version,
    agent_id: row.alias ?? row.agent_id,
    session_id: row.interaction_id,
    filename: row.filename,
    created_at: row.created_at.toISOString(),
    metadata: { media_type: row.media_type, size: row.size },
    url: link(context, row),
    creator: creator === undefined ? null : showPerson(creator),
  };
}

function link(
  context: Context,
  file: { readonly file_id: string; readonly filename: string; readonly media_type: string },
): string {
  const expires = new Date(context.clock.now().getTime() + linkLifetime * 1000);
  const { file_id, filename, media_type } = file;
  const linked = { fileId: file_id, filename, mediaType: media_type };
  return signFileLink(context.signer, context.publicUrl, linked, expires);
}

/** Public: a fresh link to one version, by default the newest. */
const getArtifactDownload: Artifacts["getArtifactDownload"] = async (context, { caller, params, query }) => {
  teamScope(caller, query.team_id);
  const loaded = await loadArtifact(context.store.db, params.artifact_id, false);
  if (loaded === null || artifactRole(caller, loaded.facts) === null) throw new ServiceError("not_found");
  const { artifact } = loaded;
  const version = await context.store.db
    .selectFrom("artifact_versions")
    .selectAll()
    .where("artifact_id", "=", artifact.id)
    .where("id", "=", query.version_id ?? artifact.version_id)
    .executeTakeFirst();
  if (version === undefined) {
    throw new ServiceError("not_found", { message: "There is no such version.", param: "version_id" });
  }
  const { filename } = artifact;
  const { media_type, size } = version;
  return {
    type: "body",
    body: { download_url: link(context, { ...version, filename }), filename, media_type, size },
  };
};

export const artifacts: Artifacts = { listAgentArtifacts, listArtifacts, getArtifactDownload };
