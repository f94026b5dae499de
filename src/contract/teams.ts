import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { team } from "./wire.ts";

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
