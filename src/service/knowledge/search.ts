import { type Kysely, type RawBuilder, sql } from "kysely";
import { readableSources, type SourceReader } from "../permission/sources.ts";
import { storableText } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import { type Highlight, highlightWords } from "./highlights.ts";
import { normalText, pairedQuestion, shownText, unspacedIn } from "./normal-text.ts";

export interface Question {
  /** Words; `"words in quotes"` stand together, `-word` is left out. */
  readonly question: string;
  readonly limit: number;
  /** Only these; null: all. */
  readonly sourceIds: readonly string[] | null;
  readonly sourceTypes: readonly string[] | null;
}

/** A passage that answers a question, and where it stands. */
export interface FoundPassage {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceType: string;
  readonly fileId: string;
  readonly fileName: string;
  readonly contentId: string;
  readonly mediaType: string;
  readonly page: number | null;
  readonly pageEnd: number | null;
  readonly section: string | null;
  readonly content: string;
  readonly marks: readonly Highlight[];
  /** From 0 to 1; comparable within one answer only. */
  readonly score: number;
  readonly updatedAt: Date;
}

/** Of a question; what is beyond is not looked at. */
const questionCharacters = 2_000;
/** The same in words: ranking a passage takes as long as the words of both, multiplied. */
const questionWords = 64;

/**
 * The passages that answer a question best: first those that hold all of its words, then, where there are too few of
 * them and the question uses no signs, those that hold some. Only passages of active sources that the reader may read
 * are ever looked at: the statement itself says so.
 * @returns null where the question only says what to leave out: nearly every passage would answer it, and none well
 */
export async function searchPassages(
  db: Kysely<Database>,
  reader: SourceReader,
  asked: Question,
): Promise<readonly FoundPassage[] | null> {
  const text = storableText(firstWords(shownText(normalText(asked.question.slice(0, questionCharacters)))));
  const paired = pairedQuestion(text);
  const signs = /"|(?:^|\s)-\S/.test(text);
  // What was indexed before pairs were is found by its words alone; as words, what is left out would be there.
  const words = sql`${bounded("simple", text)} || ${bounded("english", text)}`;
  const pairs = paired === null ? null : bounded("simple", paired);
  const all = pairs === null ? words : signs ? pairs : sql`${words} || ${pairs}`;
  const found = await matches(db, reader, asked, { query: all, without: [] });
  if (found.length < asked.limit && !signs) {
    const more = { ...asked, limit: asked.limit - found.length };
    const some = sql`some_words(${paired === null ? text : `${text} ${paired}`})`;
    found.push(...(await matches(db, reader, more, { query: some, without: found })));
  }
  if (found.length === 0 && (await onlyLeavesOut(db, text))) return null;
  return found.map(({ seq, ...passage }) => ({ ...passage, marks: highlightWords(passage.content, text) }));
}

/** What is looked at of a question; where words are written without spaces, each letter counts as one. */
function firstWords(text: string): string {
  let words = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const count = Math.max(1, unspacedIn(word).join("").length);
    if (words + count > questionWords)
      return text.slice(0, index + (count === 1 ? 0 : questionWords - words));
    words += count;
  }
  return text;
}

/**
 * The words of a question, or nothing where no index can tell what they ask for: `-tide`, `rope or -tide`, and `the -tide`
 * in English, which does not look for "the". Such a question would read every passage that there is.
 */
function bounded(language: "simple" | "english", text: string): RawBuilder<unknown> {
  const words = sql`websearch_to_tsquery(${sql.lit(language)}, ${text})`;
  return sql`case when querytree(${words}) in ('', 'T') then ''::tsquery else ${words} end`;
}

async function onlyLeavesOut(db: Kysely<Database>, text: string): Promise<boolean> {
  if (!text.includes("-")) return false;
  const words = sql`websearch_to_tsquery('simple', ${text})`;
  const { rows } = await sql<{ open: boolean }>`
    select numnode(${words}) > 0 and querytree(${words}) in ('', 'T') as open`.execute(db);
  return rows[0]?.open === true;
}

type Match = Omit<FoundPassage, "marks"> & { readonly seq: number };

async function matches(
  db: Kysely<Database>,
  reader: SourceReader,
  { limit, sourceIds, sourceTypes }: Question,
  { query, without }: { readonly query: RawBuilder<unknown>; readonly without: readonly Match[] },
): Promise<Match[]> {
  const known = without.map(({ fileId, seq }) => `${fileId} ${seq}`);
  const { rows } = await sql<Match>`
    select source.id as "sourceId", source.name as "sourceName", source.source_type as "sourceType",
           file.id as "fileId", file.file_name as "fileName", file.content_id as "contentId",
           file.media_type as "mediaType", passage.page, passage.page_end as "pageEnd", passage.section,
           passage.content, passage.seq, file.updated_at as "updatedAt",
           ts_rank_cd(passage.index, asked.query, 33) as score
      from (select ${query} as query) asked, knowledge_passages passage
      join knowledge_files file on file.id = passage.file_id
      join knowledge_sources source on source.id = passage.source_id
     where passage.index @@ asked.query and source.status = 'active' and ${readableSources(reader, "source")}
       and (${sourceIds === null} or source.id = any (${[...(sourceIds ?? [])]}::text[]))
       and (${sourceTypes === null} or source.source_type = any (${[...(sourceTypes ?? [])]}::text[]))
       and not file.id || ' ' || passage.seq = any (${known}::text[])
     -- A sentence that runs on to the next page is there twice: the passage of one page is better.
     order by score desc, passage.page_end is distinct from passage.page, file.updated_at desc, file.id, passage.seq
     limit ${limit}`.execute(db);
  return [...rows];
}
