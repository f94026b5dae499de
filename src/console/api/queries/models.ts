import { listModels } from "../../../contract/models.ts";
import type { Api } from "../../components/api.ts";
import { readOptions } from "../read.ts";

/** Reads about models. */
export const modelQueries = {
  /** The valid values of an agent's `model_name`, in groups (§4.15). */
  list: (api: Api) => readOptions(api, listModels, {}, { staleTime: 60_000 }),
};
