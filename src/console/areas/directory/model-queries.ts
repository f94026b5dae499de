import { listModels } from "../../../contract/models.ts";
import { readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";

/** Reads about models. */
export const modelQueries = {
  /** The valid values of an agent's `model_name`, in groups (§4.15). */
  list: (api: Api) => readOptions(api, listModels, {}, { staleTime: 60_000 }),
};
