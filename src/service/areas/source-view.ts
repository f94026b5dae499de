import { type Kysely, type Selectable, sql } from "kysely";
import type { BrainFile, BrainSource } from "../../contract/knowledge.ts";
import { loadPeople, type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { withRight } from "../permission/roles.ts";
import { mayManageSource, mayReadSource, type SourceOwner } from "../permission/sources.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "../store/schema.ts";
import type { KnowledgeFilesTable, KnowledgeSourcesTable } from "../store/schema-agents.ts";
import type { Caller } from "./handler.ts";
import { sourceFileLink } from "./source-file.ts";

export type SourceRow = Selectable<KnowledgeSourcesTable>;

/** A source's row with what its files and its cost come to. */
export interface CountedSource extends SourceRow {
  readonly documents: number;
  readonly estimating: number;
  readonly pending: number;
  readonly indexing: number;
  readonly indexed: number;
  readonly failed: number;
  readonly tokens: number;
  readonly charged: number;
}

/** Sources that are not deleted with their counts, to be narrowed. */
export function sourcesWithCounts(db: Kysely<Database>) {
  const count = (status: string) => sql<number>`(count(*) filter (where status = ${sql.lit(status)}))::int`;
  return db
    .selectFrom("knowledge_sources as source")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("knowledge_files")
          .select(sql<number>`count(*)::int`.as("documents"))
          .select([count("estimating").as("estimating"), count("pending").as("pending")])
          .select([count("indexing").as("indexing"), count("indexed").as("indexed")])
          .select([count("failed").as("failed"), sql<number>`coalesce(sum(tokens), 0)`.as("tokens")])
          .whereRef("knowledge_files.source_id", "=", "source.id")
          .as("counts"),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("credits")
          .select(sql<number>`coalesce(round(sum(amount)::numeric, 2), 0)::float8`.as("charged"))
          .whereRef("credits.source_id", "=", "source.id")
          .as("paid"),
      (join) => join.onTrue(),
    )
    .selectAll("source")
    .selectAll("counts")
    .select("paid.charged")
    .where("source.deleted_at", "is", null);
}

/**
 * One source for a caller who may read it.
 * @throws ServiceError `not_found`
 */
export async function seenSource(db: Kysely<Database>, caller: Caller, id: string): Promise<CountedSource> {
  const row = await sourcesWithCounts(db).where("source.id", "=", id).executeTakeFirst();
  if (row === undefined || !mayReadSource(caller, sourceOwner(row))) throw noSource();
  return row;
}

/** Not there, deleted, or not for the caller. */
export function noSource(): ServiceError {
  return new ServiceError("not_found", { message: "There is no such knowledge source.", param: "source_id" });
}

/** @throws ServiceError `forbidden` where the caller may read it but not spend on it */
export function checkManages(caller: Caller, row: SourceRow, what: string): void {
  if (mayManageSource(caller, sourceOwner(row))) return;
  throw new ServiceError("forbidden", { message: `You cannot ${what} this knowledge source.` });
}

/** Whose a source is. */
export function sourceOwner(row: SourceRow): SourceOwner {
  return { scope: row.scope, teamId: row.team_id, createdByUserId: row.created_by_user_id };
}

/** §2.9. @param editor the caller as one who would change it: in the teams alone where their role lets them */
function showSource(row: CountedSource, editor: Caller, people: ReadonlyMap<string, PersonRow>): BrainSource {
  const person = (id: string | null) => {
    const found = id === null ? undefined : people.get(id);
    return found === undefined ? null : showPerson(found);
  };
  return {
    id: row.id,
    name: row.name,
    source_type: row.source_type,
    status: row.status,
    scope: row.scope,
    team_id: row.team_id,
    created_by_user_id: row.created_by_user_id,
    created_at: row.created_at.toISOString(),
    creator: person(row.created_by_user_id),
    approved_at: row.approved_at?.toISOString() ?? null,
    approved_by: person(row.approved_by),
    estimated_credits: row.status === "draft" && row.estimating > 0 ? null : row.estimated_credits,
    charged_credits: row.charged,
    document_count: row.documents,
    indexed_count: row.indexed,
    failed_count: row.failed,
    may_edit: mayManageSource(editor, sourceOwner(row)),
  };
}

/** The same with the people that it names, as this caller sees them. */
export async function showSources(
  db: Kysely<Database>,
  caller: Caller,
  rows: readonly CountedSource[],
): Promise<BrainSource[]> {
  const people = await loadPeople(
    db,
    rows.flatMap((row) => [row.created_by_user_id, row.approved_by]),
  );
  const editor = withRight(caller, "edit");
  return rows.map((row) => showSource(row, editor, people));
}

/** A file of a source as the interface has it. */
export function showFile(context: Context, caller: Caller, row: Selectable<KnowledgeFilesTable>): BrainFile {
  return {
    id: row.id,
    file_name: row.file_name,
    status: row.status,
    size: row.size,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    error: row.error,
    media_type: row.media_type,
    page_count: row.page_count,
    tokens: row.tokens,
    credits: row.credits,
    url: sourceFileLink(context, caller, row),
  };
}
