import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { teamsOf } from "../permission/actor.ts";
import type { Handlers } from "./handler.ts";

/** Public `GET /teams` ("History, teams, sessions"): the caller's teams by name; a team key has its own. */
export const teamHandlers: Pick<Handlers<typeof endpoints>, "listTeams"> = {
  listTeams: async (context, { caller }) => ({
    type: "body",
    body: { teams: await teamsById(context, teamsOf(caller)) },
  }),
};

/** The teams with these ids, by name. */
export async function teamsById(
  context: Context,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return [];
  return await context.store.db
    .selectFrom("teams")
    .select(["id", "name"])
    .where("id", "in", [...ids])
    .orderBy("name")
    .orderBy("id")
    .execute();
}
