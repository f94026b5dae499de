import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { type SearchHit, type SearchKind, searchKinds } from "../../contract/search.ts";
import type { Context } from "../context.ts";
import { teamScope, teamsOf } from "../permission/actor.ts";
import { readableInteractions, readableRuns } from "../permission/executions.ts";
import { findMessages, findRuns, indexedUntil } from "../search/history.ts";
import type { FoundPlace } from "../search/matches.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller, Handlers } from "./handler.ts";
import { readCursor, writeCursor } from "./page.ts";
import { wireState } from "./run-rows.ts";
import { findAgents, findArtifacts, findFlows, type NamesPage } from "./search-names.ts";

/** One search through things of one kind. */
interface SearchOfKind {
  readonly context: Context;
  readonly caller: Caller;
  readonly text: string;
  readonly teamId: string | null;
  /** Where the page before ended, in the words of the kind; null: at the newest. */
  readonly after: string | null;
  readonly size: number;
}

interface Page {
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  readonly searchedTo: Date | null;
}

const list = "search";

/** Own: everything that the caller may see, by kind and newest first (docs/interface.md, "Search"). */
const search: Handlers<typeof endpoints>["search"] = async (context, { caller, query }) => {
  const teamId = teamScope(caller, query.team_id);
  if (!context.canSearch) {
    throw new ServiceError("not_found", {
      message: "This service has no search: its database lacks pg_trgm.",
    });
  }
  const asked = query.kinds?.split(",") ?? searchKinds;
  const kinds = searchKinds.filter((kind) => asked.includes(kind));
  const size = query.page_size ?? 20;
  // Read before the rows: what ends meanwhile may be found or not.
  const until = await indexedUntil(context.store);
  const hits: SearchHit[] = [];
  let [begin, after] = query.cursor === undefined ? [kinds[0], null] : readPlace(query.cursor, kinds);
  let end: { readonly cursor: string | null; readonly searchedTo: Date | null } = {
    cursor: null,
    searchedTo: null,
  };
  for (const [at, kind] of kinds.entries()) {
    if (begin !== kind && begin !== undefined) continue;
    begin = undefined;
    const page = await finders[kind]({
      context,
      caller,
      text: query.q,
      teamId,
      after,
      size: size - hits.length,
    });
    after = null;
    hits.push(...page.hits);
    if (page.next !== null) {
      end = { cursor: writeCursor(list, { id: kind, key: page.next }), searchedTo: page.searchedTo };
      break;
    }
    const following = kinds[at + 1];
    if (hits.length === size && following !== undefined) {
      end = { cursor: writeCursor(list, { id: following, key: "" }), searchedTo: null };
      break;
    }
  }
  const searched_to = end.searchedTo?.toISOString() ?? null;
  const indexed_until = until?.toISOString() ?? null;
  return { type: "body", body: { hits, next_cursor: end.cursor, searched_to, indexed_until } };
};

/** @throws ServiceError `invalid_cursor` */
function readPlace(cursor: string, kinds: readonly SearchKind[]): [SearchKind, string | null] {
  const { id, key } = readCursor(list, cursor, /^/);
  const kind = kinds.find((one) => one === id);
  const isWellFormed = kind !== undefined && (key === "" || forms[kind].test(key));
  if (!isWellFormed) throw new ServiceError("invalid_cursor", { param: "cursor" });
  return [kind, key === "" ? null : key];
}

const named = /^\d{1,18} ./;
const numbered = /^[1-9]\d{0,14}$/;
/** How the places look where pages of each kind end. */
const forms: Readonly<Record<SearchKind, RegExp>> = {
  agent: named,
  flow: named,
  artifact: /^[\w-]+$/,
  run: numbered,
  conversation: numbered,
};

const finders: Readonly<Record<SearchKind, (query: SearchOfKind) => Promise<Page>>> = {
  agent: async ({ context, caller, ...query }) =>
    showNames("agent", await findAgents(context, caller, query)),
  flow: async ({ context, caller, ...query }) => showNames("flow", await findFlows(context, caller, query)),
  artifact: async ({ context, caller, ...query }) =>
    showNames("artifact", await findArtifacts(context, caller, query)),
  run: async (query) => {
    const page = await findRuns(query.context.store, ended(query, "executions", readableRuns));
    const hits = page.found.map((run) =>
      show("run", run, { id: run.id, at: run.endedAt, state: wireState(run.state, run.startedAt) }),
    );
    return { hits, next: page.next?.toString() ?? null, searchedTo: page.searchedTo };
  },
  conversation: async (query) => {
    const page = await findMessages(query.context.store, ended(query, "interactions", readableInteractions));
    const hits = page.found.map((found) =>
      show("conversation", found, {
        ...{ id: found.interactionId, at: found.endedAt, agentId: found.agentId },
        messageId: found.messageId,
      }),
    );
    return { hits, next: page.next?.toString() ?? null, searchedTo: page.searchedTo };
  },
};

/** What a search through the history is told: whose rows it narrows to, and what decides who sees them. */
function ended(
  { caller, text, teamId, after, size }: SearchOfKind,
  table: string,
  readable: (caller: Caller) => RawBuilder<boolean>,
) {
  const teamIds = teamId === null ? [...teamsOf(caller)] : [teamId];
  const userId = teamId === null && caller.kind !== "team" ? caller.userId : null;
  const mayRead =
    teamId === null
      ? readable(caller)
      : sql<boolean>`(${readable(caller)} and ${sql.ref(`${table}.team_id`)} = ${teamId})`;
  const before = after === null ? null : Number(after);
  return { text, userId, teamIds, mayRead, before, size };
}

function showNames(kind: SearchKind, { found, next }: NamesPage): Page {
  const hits = found.map((one) => show(kind, one, { id: one.id, at: one.createdAt, agentId: one.agentId }));
  return { hits, next, searchedTo: null };
}

function show(
  kind: SearchKind,
  { name, places, count }: { name: string; places: readonly FoundPlace[]; count: number },
  of: { id: string; at: Date; agentId?: string | null; state?: string; messageId?: string },
): SearchHit {
  return {
    ...{
      kind,
      id: of.id,
      name,
      at: of.at.toISOString(),
      agent_id: of.agentId ?? null,
      state: of.state ?? null,
    },
    places: places.map(({ in: kindOfPlace, name: of_, line, part, before, match, after }) => ({
      ...{ in: kindOfPlace, name: of_ ?? null, line: line ?? null, message_id: of.messageId ?? null },
      ...{ part_id: part ?? null, before, match, after },
    })),
    place_count: count,
  };
}

export const searchHandlers = { search };
