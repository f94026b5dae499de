import { sql } from "kysely";
import type { InboxItem, InboxSummary } from "../../contract/inbox.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { editorsOf } from "../permission/answerers.ts";
import { hasRight } from "../permission/roles.ts";
import { mayManageSource, readableSources, readerOf } from "../permission/sources.ts";
import { anyIn } from "../store/prepared.ts";
import type { Caller } from "./handler.ts";
import { sourceTokens } from "./inbox-list.ts";
import { type CountedSource, sourceOwner, sourcesWithCounts } from "./source-view.ts";

/** A knowledge source that waits for an approval or has it, as the inbox shows it. */
export interface InboxSource extends CountedSource {
  readonly team_name: string | null;
  readonly source_tokens: string;
}

/** Those of these sources that are the inbox's and that the caller may see. */
export async function seenSources(
  { store }: Context,
  caller: Caller,
  ids: readonly string[],
): Promise<InboxSource[]> {
  if (ids.length === 0) return [];
  return await sourcesWithCounts(store.db)
    .leftJoin("teams", "teams.id", "source.team_id")
    .select(["teams.name as team_name", sourceTokens.as("source_tokens")])
    .where("source.id", "=", anyIn(ids))
    .where(sql<boolean>`(source.status = 'draft' or source.approved_at is not null)`)
    .where(readableSources(readerOf(caller), "source"))
    .execute();
}

/** The people that the summaries of these sources name. */
export const peopleOfSources = (rows: readonly InboxSource[]): (string | null)[] =>
  rows.flatMap(({ created_by_user_id, approved_by }) => [created_by_user_id, approved_by]);

/** Whether the caller may approve it: who may edit for its team, or its maker. */
function mayApprove(caller: Caller, row: InboxSource): boolean {
  const owner = sourceOwner(row);
  const { teamId } = owner;
  return mayManageSource(caller, owner) && (!isOfTeam(row) || hasRight(caller, teamId ?? "", "edit"));
}

const isOfTeam = ({ scope, team_id }: InboxSource) => scope === "team" && team_id !== null;

/** @param people with all that `peopleOfSources` names */
export function showSourceSummary(
  caller: Caller,
  row: InboxSource,
  people: ReadonlyMap<string, PersonRow>,
): InboxSummary {
  const maker = people.get(row.created_by_user_id);
  const approver = row.approved_by === null ? undefined : people.get(row.approved_by);
  const { approved_at: at, created_at: asked } = row;
  const approved = {
    ...{ answer: "approve", by: approver ? showPerson(approver) : null },
    ...{ reason: null, arguments_text: null, values: null },
  } as const;
  return {
    ...{ id: row.id, kind: "source", state: at === null ? "waiting" : "approved", title: row.name },
    ...{ agent: null, session: null, run: null, tool: null, arguments_preview: "" },
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name },
    started_by: maker === undefined ? null : showPerson(maker),
    asked_at: asked.toISOString(),
    lapses_at: null,
    ended_at: at?.toISOString() ?? null,
    may_answer: at === null && row.estimating === 0 && mayApprove(caller, row),
    tokens: Number(row.source_tokens),
    source: {
      scope: row.scope,
      estimated_credits: row.estimated_credits,
      document_count: row.documents,
    },
    answer: at && {
      ...approved,
      at: at.toISOString(),
      took_ms: Math.max(0, at.getTime() - asked.getTime()),
    },
  };
}

/** The same with who may approve it. What it holds and what follows is said of it as a source. */
export async function showSourceItem(
  { store }: Context,
  caller: Caller,
  row: InboxSource,
): Promise<InboxItem> {
  const people = await loadPeople(store.db, peopleOfSources([row]));
  const summary = showSourceSummary(caller, row, people);
  const editors = isOfTeam(row) ? await editorsOf(store.db, row.team_id ?? "") : null;
  const who = editors?.map(showPerson) ?? (summary.started_by === null ? [] : [summary.started_by]);
  return {
    ...summary,
    ...{ message_id: null, part_id: null, tool: null, arguments_text: null, arguments: null },
    ...{ last_approved: null, asked_again_for: null, form: null, may_edit: false },
    who: { rule: editors === null ? "person" : "operators", people: who.slice(0, 50), count: who.length },
  };
}
