import { sql } from "kysely";
import type { Context } from "../context.ts";
import {
  type ArtifactQuery,
  filters,
  type ListScope,
  leftOut,
  placesOf,
  readersOf,
} from "./artifact-filters.ts";
import { type ListQuery, look, type Order, type Row, readLabelled } from "./artifact-scan.ts";
import type { Caller } from "./handler.ts";
import { createHints, hintScope } from "./hints.ts";
import { cutPage, keyTime, type PageCursor, readCursor, timeKey, timeKeyForm } from "./page.ts";

function orderOf(sort: NonNullable<ArtifactQuery["sort_order"]>): Order {
  const byName = sort === "name_asc" || sort === "name_desc";
  const falling = sort === "newest" || sort === "name_desc";
  const beginning = sql<string>`left(listed.name, 200)`;
  return {
    name: `artifacts:${sort}`,
    column: byName ? beginning : sql`listed.created_at`,
    id: sql`listed.artifact_id`,
    direction: falling ? sql`desc` : sql`asc`,
    than: falling ? sql`<` : sql`>`,
    key: byName ? sql`listed.sorted` : timeKey("listed.sorted"),
    keyForm: byName ? /^/ : timeKeyForm,
    after: (key) => (byName ? sql`${key}` : keyTime(key)),
  };
}

/**
 * So many rows of the merged list are looked through first, then at once, and in all for one page. As many are read by their
 * labels at most, as long as there is another way.
 */
const windows = { first: 200, further: 600, all: 2_000 };

/**
 * One page of what the caller may see (§4.8). The audiences that the caller belongs to are read in the order of the list
 * and merged, no further than the page, so that it takes the same time however much there is. What filters leave out of
 * that is little, mostly; where it is not, what is left is found by an index of all that they may ask for.
 * @throws ServiceError `invalid_cursor`
 */
export async function listPage(context: Context, caller: Caller, query: ArtifactQuery, scope: ListScope) {
  const order = orderOf(query.sort_order ?? "newest");
  const size = query.page_size ?? 20;
  const cut = (rows: readonly Row[]) =>
    cutPage(rows, size, order.name, (row) => ({ key: row.key, id: row.id }));
  const after = query.cursor === undefined ? null : readCursor(order.name, query.cursor, order.keyForm);
  const readers = readersOf(caller, query, scope);
  if (readers.length === 0) return cut([]);
  const left = leftOut(caller, query, scope);
  const wanted = filters(query);
  const asked = { ...{ order, size, readers, left, wanted }, places: placesOf(query, scope) };
  if (wanted.length === 0 && left.length === 0)
    return cut((await look(context, asked, after, size + 1)).found);
  const within = hintScope(caller, scope.agentId, scope.teamId);
  return cut(await find(context, asked, after, JSON.stringify([within, { ...query, cursor: undefined }])));
}

/** What is found of a question on a page, and perhaps more. */
async function find(
  context: Context,
  asked: ListQuery,
  after: PageCursor | null,
  question: string,
): Promise<readonly Row[]> {
  const known = ways.of(question);
  if (known === "labels") {
    const labelled = await readLabelled(context, asked, after, windows.all);
    if (labelled !== null) return labelled;
    ways.remember(question, "rows");
  }
  const found: Row[] = [];
  let last = after;
  let through = 0;
  for (let takes = 0; takes <= windows.all; ) {
    const window = known === undefined && through === 0 ? windows.first : windows.further;
    const looked = await look(context, asked, last, window);
    found.push(...looked.found);
    last = looked.last;
    if (found.length > asked.size || last === null) return found;
    through += window;
    // As many as it takes where they are as frequent further on, and a quarter more.
    takes = Math.max(through + windows.further, ((asked.size + 1) * 1.25 * through) / found.length);
    if (known === undefined && through === window) {
      // Of several lists each has to be looked through as far.
      const dear = Math.min(windows.all, Math.ceil(asked.readers.length > 1 ? 3 * takes : takes));
      const labelled = await readLabelled(context, asked, last, dear);
      ways.remember(question, labelled === null ? "rows" : "labels");
      if (labelled !== null) return [...found, ...labelled];
    }
  }
  return [...found, ...((await readLabelled(context, asked, last, null)) ?? [])];
}

/** How the next page of a question is found: in the first rows of the list, or by an index of what its filters want. */
const ways = createHints<"rows" | "labels">();
