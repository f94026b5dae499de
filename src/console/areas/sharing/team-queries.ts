import { listTeams } from "../../../contract/teams.ts";
import { readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";

/** Reads about teams. Public: ask `can("teams")` first. */
export const teamQueries = {
  /** The caller's teams. */
  list: (api: Api) => readOptions(api, listTeams, {}, { staleTime: 60_000 }),
};
