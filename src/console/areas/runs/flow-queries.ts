import { listSavedItems } from "../../../contract/flows.ts";
import { listOwnerOf } from "../../api/connection.ts";
import { slow } from "../../api/poll.ts";
import { readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";

/** Reads about flows (saved items). Public: ask `can("saved_items")` first. */
export const flowQueries = {
  /** The flows that may be started. */
  list: (api: Api) =>
    readOptions(api, listSavedItems, { query: listOwnerOf(api) }, { policy: slow, staleTime: 30_000 }),
};
