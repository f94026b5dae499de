import * as z from "zod/mini";
import { endpoint } from "./define.ts";

/** A team (workspace) of the caller; its id is what `project_id` and `team_id` take. */
export const team = z.object({ id: z.string(), name: z.string() });
export type Team = z.output<typeof team>;

/** Public: the teams of the caller; a team key has one. Whole, without pages. */
export const listTeams = endpoint({
  name: "listTeams",
  tier: "public",
  capability: "teams",
  section: "History, teams, sessions",
  summary: "List teams",
  method: "GET",
  path: "/teams",
  kind: "read",
  response: z.object({ teams: z.array(team) }),
  conditional: true,
});
