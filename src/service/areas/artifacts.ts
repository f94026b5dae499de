import type { Artifact } from "../../contract/artifacts.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { ownAgentId, seenAgent } from "../agents/agent-rows.ts";
import type { Context } from "../context.ts";
import { personOf, teamScope } from "../permission/actor.ts";
import { artifactRole } from "../permission/artifacts.ts";
import { ServiceError } from "../service-error.ts";
import type { ListScope } from "./artifact-filters.ts";
import { artifactLink } from "./artifact-link.ts";
import { listPage } from "./artifact-list.ts";
import { loadArtifact } from "./artifact-rows.ts";
import type { ListedArtifact } from "./artifact-scan.ts";
import { loadSharing } from "./artifact-sharing.ts";
import { loadVersions, type Version } from "./artifact-versions.ts";
import type { Caller, Handlers, Request } from "./handler.ts";

type Artifacts = Pick<
  Handlers<typeof endpoints>,
  "listAgentArtifacts" | "listArtifacts" | "getArtifactDownload"
>;
type Query = Omit<Request<typeof endpoints.listArtifacts>["query"], "team_id">;

/** §4.8 */
const listAgentArtifacts: Artifacts["listAgentArtifacts"] = async (context, { caller, params, query }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const { rows, next_cursor } = await list(context, caller, query, { agentId: agent.id, teamId: null });
  return { type: "body", body: { artifacts: rows.map(({ shown }) => shown), next_cursor } };
};

/** Own: the artifacts of all agents that the caller may see, also of retired ones. */
const listArtifacts: Artifacts["listArtifacts"] = async (context, { caller, query }) => {
  const { team_id, agent_id = null, ...filters } = query;
  const userId = personOf(caller);
  const agentId = agent_id === null ? null : await ownAgentId(context.store.db, userId, agent_id);
  const scope = { agentId, teamId: teamScope(caller, team_id) };
  const { rows, next_cursor } = await list(context, caller, filters, scope);
  if (query.shared_by_me !== true && query.shared_through_team !== true) {
    return { type: "body", body: { artifacts: rows.map(({ shown }) => shown), next_cursor } };
  }
  const sharing = await loadSharing(
    context.store.db,
    caller,
    rows.map(({ row }) => row),
  );
  const artifacts = rows.map(({ row, shown }) => ({ ...shown, sharing: sharing.get(row.id) }));
  return { type: "body", body: { artifacts, next_cursor } };
};

async function list(context: Context, caller: Caller, query: Query, scope: ListScope) {
  const { db } = context.store;
  const page = await listPage(context, caller, query, scope);
  const several = page.rows.filter((row) => row.major_version > 1).map(({ id }) => id);
  const versions = await loadVersions(db, several);
  const rows = page.rows.map((row) => ({ row, shown: show(context, caller, row, versions.get(row.id)) }));
  return { rows, next_cursor: page.next_cursor };
}

/** §2.3 */
function show(
  context: Context,
  caller: Caller,
  row: ListedArtifact,
  versions: readonly Version[] | undefined,
): Artifact {
  const { id, version_id, major_version, filename, media_type, size, creator } = row;
  const newest = { artifactId: id, versionId: version_id, mediaType: media_type };
  return {
    id,
    version_id,
    major_version,
    agent_id: row.alias ?? row.agent_id,
    session_id: row.interaction_id,
    filename,
    created_at: row.created_at.toISOString(),
    metadata: { media_type, size, ...(versions === undefined ? {} : { versions: [...versions] }) },
    url: artifactLink(context, caller, newest, "show"),
    creator,
  };
}

/** Public: a fresh link to one version, by default the newest. */
const getArtifactDownload: Artifacts["getArtifactDownload"] = async (context, request) => {
  const { caller, params, query } = request;
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
  const { media_type, size } = version;
  const linked = { artifactId: artifact.id, versionId: version.id, mediaType: media_type };
  const download_url = artifactLink(context, caller, linked, "save");
  return { type: "body", body: { download_url, filename: artifact.filename, media_type, size } };
};

export const artifactHandlers: Artifacts = { listAgentArtifacts, listArtifacts, getArtifactDownload };
