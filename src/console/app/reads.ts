import type { FetchQueryOptions, QueryKey } from "@tanstack/react-query";
import {
  adminQueries,
  askedPermissions,
  auditPages,
  connectedPages,
  keyPages,
  peoplePages,
  sessionPages,
  teamPages,
} from "../areas/admin/queries.ts";
import { readAdminSearch } from "../areas/admin/search.ts";
import { readAgentSearch, readAgentsSearch, readNewAgentSearch } from "../areas/agents/search.ts";
import { artifactPages } from "../areas/artifacts/queries.ts";
import { locatedArtifact } from "../areas/artifacts/queries-of-one.ts";
import { readArtifactSearch, readArtifactsSearch } from "../areas/artifacts/search.ts";
import { conversationPages, interactionQueries } from "../areas/conversations/queries.ts";
import { agentPages, agentQueries, modelQueries, versionPages } from "../areas/directory/index.ts";
import { evaluationQueries } from "../areas/evaluations/queries.ts";
import { readEvaluationsSearch, usualPeriod } from "../areas/evaluations/search.ts";
import { inboxQueries, questionPages, shownFilters, waitingForMe } from "../areas/inbox/queries.ts";
import { readInboxSearch } from "../areas/inbox/search.ts";
import { knowledgeQueries, sourcePages } from "../areas/knowledge/queries.ts";
import { catalogueTeam, mcpQueries } from "../areas/mcp/queries.ts";
import { readMcpSearch } from "../areas/mcp/search.ts";
import { retentionQueries } from "../areas/retention/queries.ts";
import { askOf, nothingTyped } from "../areas/runs/again/again-ask.ts";
import { againQueries } from "../areas/runs/again/queries.ts";
import { flowQueries } from "../areas/runs/flow-queries.ts";
import { runQueries } from "../areas/runs/queries.ts";
import { readAgainSearch, readCompareSearch, readStartSearch } from "../areas/runs/search.ts";
import { searchPages } from "../areas/search/queries.ts";
import { canSearch, kindsOf, readEverywhereSearch, textOf } from "../areas/search/search.ts";
import type { KnownTeam } from "../areas/session/signed-in.ts";
import type { Api } from "../lib/api.tsx";

/** Who reads, and what starts a read. */
export interface Reader {
  readonly api: Api;
  /** Null where this service does not list them. */
  readonly teams: readonly KnownTeam[] | null;
  /** Begins to read what is not there yet; never throws: the page says what failed. */
  readonly start: <Q, E, D, K extends QueryKey>(query: FetchQueryOptions<Q, E, D, K>) => void;
  /** The same for the first page of what the search finds. */
  readonly startPages: (query: ReturnType<typeof searchPages>) => void;
}

/** Where a route leads: its parameters, and its search as it stands in the address. */
export interface To<Params = unknown> {
  readonly params: Params;
  readonly location: { readonly search: Record<string, unknown> };
}
type AgentId = { readonly agentId: string };

const byName = { sort_order: "name_asc" } as const;

/**
 * What each page reads first, as the page itself asks for it: `src/console/app/loaders.test.tsx` compares the two. What a
 * page shows only after one of these answers it reads by itself.
 */
export function overview(reader: Reader, to: To): void {
  const { api, start } = reader;
  if (api.capabilities.can("runs")) start(runQueries.list(api));
  if (api.capabilities.can("inbox")) start(waitingForMe(api).first);
  if (api.capabilities.can("knowledge_sources")) start(sourcePages(api).first);
  start(agentQueries.list(api, byName));
  servers(reader, to);
}

export function run(
  { api, start }: Reader,
  { params: { runId } }: Pick<To<{ readonly runId: string }>, "params">,
): void {
  if (api.capabilities.can("run_details")) start(runQueries.details(api, runId));
  start(runQueries.run(api, runId));
}

export function newRun({ api, start }: Reader, { location: { search } }: To): void {
  const { flow } = readStartSearch(search);
  if (api.capabilities.can("saved_items")) start(flowQueries.list(api));
  if (flow === undefined) return;
  if (api.capabilities.can("flow_inputs")) start(runQueries.inputsOf(api, flow));
  if (api.capabilities.can("runs")) start(runQueries.list(api, { saved_item_id: flow }));
}

export function runAgain(
  { api, start }: Reader,
  { params: { runId }, location: { search } }: To<{ readonly runId: string }>,
): void {
  if (api.capabilities.can("run_details")) start(runQueries.details(api, runId));
  if (!api.capabilities.can("run_again")) return;
  const ask = askOf(readAgainSearch(search), nothingTyped, {});
  if (ask.ok) start(againQueries.preview(api, runId, ask.body));
}

export function comparedRuns(reader: Reader, { location: { search } }: To): void {
  const { a, b } = readCompareSearch(search);
  if (a !== undefined && b !== undefined) for (const runId of [a, b]) run(reader, { params: { runId } });
}

export function agents({ api, start }: Reader, { location: { search } }: To): void {
  const { sort, q } = readAgentsSearch(search);
  start(agentPages(api, { sort_order: sort ?? "name_asc", ...(q !== undefined && { search: q }) }).first);
}

export function agent({ api, start }: Reader, { params: { agentId }, location }: To<AgentId>): void {
  start(agentQueries.one(api, agentId));
  const { q, state, tab } = readAgentSearch(location.search);
  if (tab !== undefined || !api.capabilities.can("sessions")) return;
  const filters = { ...(q !== undefined && { search: q }), ...(state !== undefined && { state }) };
  start(conversationPages(api, agentId, filters).first);
}

export function newAgent({ api, start }: Reader, { location: { search } }: To): void {
  const { from } = readNewAgentSearch(search);
  start(modelQueries.list(api));
  if (from !== undefined) start(agentQueries.one(api, from));
}

export function agentSettings({ api, start }: Reader, { params: { agentId } }: To<AgentId>): void {
  start(agentQueries.one(api, agentId));
  start(modelQueries.list(api));
  start(mcpQueries.servers(api));
  if (api.capabilities.can("saved_items")) start(flowQueries.list(api));
}

export function agentVersions({ api, start }: Reader, { params: { agentId } }: To<AgentId>): void {
  start(agentQueries.one(api, agentId));
  if (api.capabilities.can("agent_versions")) start(versionPages(api, agentId).first);
}

export function agentEvaluations(
  { api, start }: Reader,
  { params: { agentId }, location }: To<AgentId>,
): void {
  const { days } = readEvaluationsSearch(location.search);
  start(agentQueries.one(api, agentId));
  start(evaluationQueries.metrics(api, agentId, days ?? usualPeriod));
}

export function conversation(
  { api, start }: Reader,
  { params }: To<AgentId & { readonly interactionId: string }>,
): void {
  const { agentId, interactionId } = params;
  start(agentQueries.one(api, agentId));
  const canLive = api.capabilities.can("sessions");
  if (canLive) start(interactionQueries.session(api, interactionId));
  else start(interactionQueries.status(api, interactionId));
}

export function newConversation({ api, start }: Reader, { params: { agentId } }: To<AgentId>): void {
  start(agentQueries.one(api, agentId));
}

export function artifacts({ api, start }: Reader, { location: { search } }: To): void {
  start(agentQueries.list(api, byName));
  // Others are asked with what is known of time and of the person.
  const { of, q, agent: agentId, session, by, since, sort } = readArtifactsSearch(search);
  if ((!api.capabilities.can("artifacts") || of) ?? by ?? since) return;
  const filters = {
    ...(q !== undefined && { search_query: q }),
    ...(session !== undefined && { session_id: session }),
  };
  start(artifactPages(api, { kind: "all", agentId }, { sort_order: sort ?? "newest", ...filters }).first);
}

export function artifact(
  { api, start }: Reader,
  { params: { artifactId }, location: { search } }: To<{ readonly artifactId: string }>,
): void {
  start(locatedArtifact(api, artifactId, readArtifactSearch(search).agent));
}

export function sharedArtifacts({ api, start }: Reader): void {
  start(artifactPages(api, { kind: "all", shared: "by hand" }).first);
  start(artifactPages(api, { kind: "all", shared: "through a team" }).first);
}

export function evaluations({ api, start }: Reader): void {
  start(agentPages(api, byName).first);
}

export function knowledge(
  { api, start }: Reader,
  { params: { sourceId } }: To<{ readonly sourceId?: string }>,
): void {
  if (!api.capabilities.can("knowledge_sources")) return;
  start(sourcePages(api).first);
  if (sourceId !== undefined) start(knowledgeQueries.one(api, sourceId));
}

export function inbox(
  { api, start }: Reader,
  { params: { itemId }, location: { search } }: To<{ readonly itemId?: string }>,
): void {
  if (!api.capabilities.can("inbox")) return;
  start(questionPages(api, shownFilters(readInboxSearch(search))).first);
  const hasSources = api.capabilities.can("knowledge_sources");
  if (hasSources) start(sourcePages(api).first);
  if (itemId === undefined) return;
  if (readInboxSearch(search).kind !== "source") start(inboxQueries.one(api, itemId));
  else if (hasSources) start(knowledgeQueries.one(api, itemId));
}

export function servers({ api, teams, start }: Reader, { location: { search } }: To): void {
  if (api.who.kind !== "team") start(mcpQueries.servers(api));
  const team = catalogueTeam(api, teams, readMcpSearch(search).team_id);
  if (team !== null) start(mcpQueries.servers(api, team.id));
}

export function retention({ api, start }: Reader): void {
  if (api.capabilities.can("retention")) start(retentionQueries.preview(api));
}

export function admin({ api, start }: Reader, { location: { search } }: To): void {
  if (!api.capabilities.can("admin") || api.who.kind === "team") return;
  const asked = readAdminSearch(search);
  start(adminQueries.roles(api));
  // Which is the first tab depends on the roles.
  if (asked.tab === "people") start(peoplePages(api, asked).first);
  if (asked.tab === "teams") start(teamPages(api, asked).first);
  if (asked.tab === "keys") start(keyPages(api, asked).first);
  if (asked.tab === "sessions") start(sessionPages(api, asked).first);
  const canPrograms = api.capabilities.can("programs");
  if (asked.tab === "connected" && canPrograms) start(connectedPages(api, asked).first);
  const permissions = asked.tab === "permissions" ? askedPermissions(asked, api.who.userId) : null;
  const about = asked.user ?? api.who.userId;
  if (asked.tab === "permissions" && about !== null) start(adminQueries.person(api, about));
  if (permissions !== null) start(adminQueries.permissions(api, permissions));
  if (asked.tab === "audit" && api.capabilities.can("audit")) start(auditPages(api, asked).first);
}

export function everywhere({ api, start, startPages }: Reader, { location: { search } }: To): void {
  const asked = readEverywhereSearch(search);
  const text = textOf(asked);
  const kinds = kindsOf(asked);
  if (api.capabilities.can("search")) {
    if (canSearch(text)) for (const kind of kinds) startPages(searchPages(api, kind, text));
    return;
  }
  if (text === "") return;
  if (kinds.includes("run") && api.capabilities.can("runs")) start(runQueries.list(api));
  if (kinds.includes("agent")) start(agentQueries.list(api));
}
