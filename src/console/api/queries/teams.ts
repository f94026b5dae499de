import { listTeams } from "../../../contract/teams.ts";
import type { Api } from "../../components/api.ts";
import { readOptions } from "../read.ts";

/** Reads about teams. Public: ask `can("teams")` first. */
export const teamQueries = {
  /** The caller's teams. */
  list: (api: Api) => readOptions(api, listTeams, {}, { staleTime: 60_000 }),
};
