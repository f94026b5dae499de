import { getRetention } from "../../../contract/retention.ts";
import { readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";

/** All reads about retention. */
export const retentionQueries = {
  /**
   * The rules, and what would go of what the caller may see (own, `can("retention")`). Not polled: the service counts for
   * it through all that is old.
   */
  preview: (api: Api) => readOptions(api, getRetention, {}),
};
