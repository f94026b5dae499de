import { mutationOptions } from "@tanstack/react-query";
import { approveSource, getSourceEstimate, listSources } from "../../../contract/knowledge.ts";
import { type Api, teamScope } from "../api.ts";
import { call } from "../client.ts";
import { slow } from "../poll.ts";
import { keyOf, readOptions } from "../read.ts";

/** Reads about knowledge sources. Public: ask `can("knowledge_sources")` and `can("knowledge_estimates")` first. */
export const knowledgeQueries = {
  /** The sources that the caller may see, the first 100. */
  list: (api: Api) =>
    readOptions(api, listSources, { query: { ...teamScope(api), page_size: 100 } }, { policy: slow }),

  /** What indexing a draft would cost. */
  estimate: (api: Api, sourceId: string) =>
    readOptions(api, getSourceEstimate, { params: { source_id: sourceId } }),
};

/** Acts on knowledge sources. */
export const knowledgeMutations = {
  /** Approves a draft (§4.12): credits are charged, and later files are indexed without asking again. */
  approve: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, approveSource)],
      mutationFn: (sourceId: string) => call(api, approveSource, { params: { source_id: sourceId } }),
      onSuccess: (_answer, _sourceId, _made, { client }) => {
        api.polling.acted();
        return client.invalidateQueries({ queryKey: keyOf(api, listSources) });
      },
    }),
};
