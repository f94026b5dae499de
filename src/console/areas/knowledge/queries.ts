import { mutationOptions } from "@tanstack/react-query";
import type { Endpoint, Received } from "../../../contract/define.ts";
import { countInbox, listInbox } from "../../../contract/inbox.ts";
import {
  addSourceFiles,
  approveSource,
  type BrainSource,
  createSource,
  getSource,
  getSourceEstimate,
  listSources,
  searchKnowledge,
} from "../../../contract/knowledge.ts";
import { call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { slow, watchList } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";

/** A source of a list as it may really come; one without an id is left out. */
export type SourceIn = Received<BrainSource> & { readonly id: string };

const sourcePage = rowsIn<typeof listSources, SourceIn>("sources", "id");

/**
 * The sources that the caller may see, newest first, page by page (public, `can("knowledge_sources")`).
 * @param inBackground no page shows it: its first read waits for its turn (C-36)
 */
export const sourcePages = (api: Api, inBackground = false) =>
  paged(api, listSources, (page) => ({ query: { ...teamScope(api), page_size: 100, ...page } }), sourcePage, {
    policy: slow,
    inBackground,
  });

/** Reads about knowledge sources. Public: ask `can("knowledge_sources")` and `can("knowledge_estimates")` first. */
export const knowledgeQueries = {
  /** One source, with its files where the service tells them; looked at often while files are being read. */
  one: (api: Api, sourceId: string) =>
    readOptions(
      api,
      getSource,
      { params: { source_id: sourceId } },
      {
        policy: watchList,
        moving: ({ source }) =>
          (source?.files ?? []).some((file) => file?.status === "estimating" || file?.status === "indexing"),
      },
    ),

  /** What indexing a source costs, and how far it is. */
  estimate: (api: Api, sourceId: string) =>
    readOptions(
      api,
      getSourceEstimate,
      { params: { source_id: sourceId } },
      { policy: watchList, moving: ({ estimate }) => estimate?.status === "running" },
    ),

  /** The passages that answer a question best. */
  search: (api: Api, query: string) =>
    readOptions(api, searchKnowledge, { body: { query, limit: 20 } }, { staleTime: 30_000 }),
};

export interface SourceToMake {
  readonly name: string;
  readonly scope: "personal" | "team" | "organization";
  readonly teamId: string | null;
  readonly requireApproval: boolean;
}

interface FileToAdd {
  readonly sourceId: string;
  readonly name: string;
  readonly content: string;
}

/** What is done to knowledge sources. */
export const knowledgeMutations = {
  /** Approves a draft (§4.12): credits are charged, and later files are indexed without asking again. */
  approve: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, approveSource)],
      mutationFn: (sourceId: string) => call(api, approveSource, { params: { source_id: sourceId } }),
      // Also after a refusal: a 409 means that somebody else was first.
      onSettled: (_answer, _error, _sourceId, _made, { client }) => readAgain(api, client, told),
    }),

  /** Makes a source; the result is its id. */
  create: (api: Api) =>
    mutationOptions({
      mutationFn: async ({ name, scope, teamId, requireApproval }: SourceToMake): Promise<string> => {
        const { data } = await call(api, createSource, {
          body: {
            name,
            scope,
            require_approval: requireApproval,
            ...(scope === "team" && teamId ? { team_id: teamId } : {}),
          },
        });
        return data.source?.id ?? "";
      },
      onSettled: (_answer, _error, _source, _made, { client }) => readAgain(api, client, told),
    }),

  /** Adds one file, as base64 (docs/interface.md, "Knowledge sources"): of many, each has its own result. */
  addFile: (api: Api) =>
    mutationOptions({
      mutationFn: async ({ sourceId, name, content }: FileToAdd) => {
        const input = {
          params: { source_id: sourceId },
          body: { files: [{ file_name: name, file_content: content }] },
        };
        const { data } = await call(api, addSourceFiles, input, { timeoutMs: 120_000 });
        return data.rejected?.[0]?.reason ?? null;
      },
      onSettled: (_answer, _error, _file, _made, { client }) => readAgain(api, client, told),
    }),
};

/** What tells of sources; what waits for an approval is in the inbox as well. */
const told: readonly Endpoint[] = [listSources, getSource, getSourceEstimate, listInbox, countInbox];
