import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { list, name, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { count, maybeText, nextCursor, page, person, text, utcTime } from "./wire.ts";

/** The state of a knowledge source (§3.3). */
export const sourceStatus = openEnum(["draft", "active", "paused"]);

/** Who a source is for. */
export const sourceScope = openEnum(["personal", "team", "organization"]);

/** §2.9. The optional fields are our service's own. */
export const brainSource = z.object({
  id: z.string(),
  name: z.string(),
  source_type: openEnum(["direct_file_uploads", "notion", "google_drive"]),
  status: sourceStatus,
  scope: sourceScope,
  team_id: z.nullable(z.string()),
  created_by_user_id: z.nullable(z.string()),
  created_at: utcTime,
  creator: z.optional(z.nullable(person)),
  /** Null while it is a draft. */
  approved_at: z.optional(z.nullable(utcTime)),
  /** Null: by a team's key, or not yet. */
  approved_by: z.optional(z.nullable(person)),
  /** What approving charges; null while the first estimate runs. */
  estimated_credits: z.optional(z.nullable(z.number())),
  /** All that it has cost so far: its approval, and the files that were added later. */
  charged_credits: z.optional(z.number()),
  document_count: z.optional(count),
  indexed_count: z.optional(count),
  failed_count: z.optional(count),
  /** Whether the caller may approve it, add files to it and delete it, by their role where it is a team's. */
  may_edit: z.optional(z.boolean()),
});
export type BrainSource = z.output<typeof brainSource>;

/**
 * A file of a source. `size` in bytes. `estimating`: its text is being counted; `pending`: it waits for the source's
 * approval, or for its turn. The optional fields from `error` on are our service's own.
 */
export const brainFile = z.object({
  id: z.string(),
  file_name: z.string(),
  status: openEnum(["estimating", "pending", "indexing", "indexed", "failed"]),
  size: z.optional(z.nullable(count)),
  sha256: z.nullable(z.string()),
  created_at: z.optional(z.nullable(utcTime)),
  /** Why it failed, in words; null otherwise. */
  error: z.optional(z.nullable(z.string())),
  media_type: z.optional(z.string()),
  /** Of a PDF; null where a file has no pages, or was not read yet. */
  page_count: z.optional(z.nullable(count)),
  tokens: z.optional(z.nullable(count)),
  credits: z.optional(z.nullable(z.number())),
  /** A signed link to its bytes, good for 15 minutes. */
  url: z.optional(z.string()),
});
export type BrainFile = z.output<typeof brainFile>;

const byId = z.object({ source_id: text });

/** §4.12. No body. Only a draft can be approved; credits are charged with it. */
export const approveSource = endpoint({
  name: "approveSource",
  tier: "core",
  section: "§4.12",
  summary: "Approve a knowledge source",
  method: "POST",
  path: "/brain/sources/{source_id}/approve",
  kind: "write",
  params: byId,
  response: z.object({ source: brainSource }),
  errors: ["not_found", "source_not_draft"],
});

/** Public: the sources that the caller may see, newest first. */
export const listSources = endpoint({
  name: "listSources",
  tier: "public",
  capability: "knowledge_sources",
  section: "Knowledge sources",
  summary: "List knowledge sources",
  method: "GET",
  path: "/brain/sources",
  kind: "read",
  query: z.object({
    scope: z.optional(text),
    source_type: z.optional(text),
    team_id: z.optional(text),
    ...page,
  }),
  response: z.object({ sources: z.array(brainSource), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/**
 * Public: one source. Own: with its files by name (at most 1,000). The console's page of a source is
 * `/knowledge/{source_id}`; with `?file={file_id}&page=57` it opens that file at that page.
 */
export const getSource = endpoint({
  name: "getSource",
  tier: "public",
  capability: "knowledge_sources",
  section: "Knowledge sources",
  summary: "Get a knowledge source",
  method: "GET",
  path: "/brain/sources/{source_id}",
  kind: "read",
  params: byId,
  response: z.object({
    source: z.object({ ...brainSource.shape, files: z.optional(z.array(brainFile)) }),
  }),
  errors: ["not_found"],
});

/**
 * Public: what approving would cost; `estimate` is null before the first one. It is `running` as long as any file is
 * still being read: to estimate it, or, after the approval, to index it. `failed`: no file could be read.
 */
export const getSourceEstimate = endpoint({
  name: "getSourceEstimate",
  tier: "public",
  capability: "knowledge_estimates",
  section: "Knowledge sources",
  summary: "Get what indexing a source will cost",
  method: "GET",
  path: "/brain/sources/{source_id}/estimate",
  kind: "read",
  params: byId,
  response: z.object({
    source_id: z.string(),
    status: sourceStatus,
    estimate: z.nullable(
      z.object({
        /** The newest run that reads files: that of a draft waits for the approval, and then indexes. */
        sync_run_id: z.string(),
        status: openEnum(["running", "completed", "failed"]),
        estimated_tokens: z.nullable(z.number()),
        estimated_credits: z.nullable(z.number()),
        document_count: z.nullable(count),
        /** Own: how far it is. */
        indexed_count: z.optional(count),
        failed_count: z.optional(count),
        charged_credits: z.optional(z.number()),
      }),
    ),
  }),
  errors: ["not_found"],
});

/**
 * Public: makes a source for uploaded files; with `require_approval` it starts as a draft. A person has at most 100 that
 * are drafts or hold no file.
 */
export const createSource = endpoint({
  name: "createSource",
  tier: "public",
  capability: "knowledge_sources",
  section: "Knowledge sources",
  summary: "Create a knowledge source",
  method: "POST",
  path: "/brain/sources",
  kind: "write",
  body: z.object({
    name,
    /** Default: personal. `team` needs `team_id`. */
    scope: z.nullish(z.enum(["personal", "team", "organization"])),
    team_id: maybeText,
    source_type: z.nullish(z.enum(["direct_file_uploads"])),
    require_approval: z.nullish(z.boolean()),
  }),
  response: z.object({ source: brainSource }),
  errors: ["not_found", "too_many_drafts", "insufficient_storage"],
});

/**
 * Public: adds files, each as base64 in `file_content`: text, Markdown, HTML, PDF. A file that cannot be taken is in
 * `rejected` with its reason. A name that is there already gets the new content; the same content again changes nothing
 * and costs nothing. A draft's files wait for its approval; those of an active source are indexed and charged at once.
 */
export const addSourceFiles = endpoint({
  name: "addSourceFiles",
  tier: "public",
  capability: "knowledge_files",
  section: "Knowledge sources",
  summary: "Add files to a knowledge source",
  method: "POST",
  path: "/brain/sources/{source_id}/files",
  kind: "write",
  params: byId,
  body: z.object({
    files: list(z.object({ file_name: text, file_content: z.string() }), 100).check(
      z.minLength(1, "must have at least one file"),
    ),
  }),
  response: z.object({
    files: z.array(brainFile),
    rejected: z.array(z.object({ file_name: z.string(), reason: z.string() })),
  }),
  errors: ["not_found", "insufficient_storage"],
});

/** Where a passage stands (own). `page` from 1, null where a file has no pages. Offsets are characters of `content`. */
export const passageFacts = z.looseObject({
  source_id: z.optional(z.string()),
  source_name: z.optional(z.string()),
  file_id: z.optional(z.string()),
  file_name: z.optional(z.string()),
  page: z.optional(z.nullable(count)),
  /** Differs from `page` where a sentence runs on to the next page. */
  page_end: z.optional(z.nullable(count)),
  /** The heading above it. */
  section: z.optional(z.nullable(z.string())),
  /** Where words of the query stand. */
  marks: z.optional(z.array(z.object({ start: count, end: count }))),
  /** A signed link to the file's bytes at that page, good for 15 minutes. */
  file_url: z.optional(z.string()),
});

/**
 * Public: the passages that answer a question best, best first, from active sources that the caller may read.
 * `"quoted words"` stand together, `-word` is left out; a query that only leaves out is a 400. `document_id` is the file, `title` its name, `url` the console's
 * page that shows it.
 */
export const searchKnowledge = endpoint({
  name: "searchKnowledge",
  tier: "public",
  capability: "knowledge_search",
  section: "Knowledge sources",
  summary: "Search knowledge",
  method: "POST",
  path: "/brain/search",
  kind: "read",
  body: z.object({
    query: text,
    limit: z.nullish(z.int().check(z.minimum(1), z.maximum(100))),
    source_type: z.nullish(list(text, 100)),
    /** Own: only these sources. */
    source_ids: z.nullish(list(text, textLimits.sourceIds)),
  }),
  response: z.object({
    results: z.array(
      z.object({
        document_id: z.nullable(z.string()),
        source: z.nullable(z.string()),
        title: z.nullable(z.string()),
        content: z.nullable(z.string()),
        url: z.nullable(z.string()),
        score: z.nullable(z.number()),
        updated_at: z.nullable(utcTime),
        metadata: z.optional(passageFacts),
      }),
    ),
  }),
});
