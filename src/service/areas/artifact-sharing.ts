import type { Kysely } from "kysely";
import type * as z from "zod/mini";
import type { sharing } from "../../contract/artifacts.ts";
import { inTeam } from "../permission/actor.ts";
import type { Database } from "../store/schema.ts";
import type { ListedArtifact } from "./artifact-scan.ts";
import type { Caller } from "./handler.ts";

type Sharing = z.output<typeof sharing>;
type Shared = Pick<ListedArtifact, "id" | "link_mode" | "organization_role" | "user_id" | "team_id">;

/**
 * With how many each of these artifacts is shared; numbers only, which a viewer may know too. The team that one was made
 * for is told to its creator and to those who are in that team.
 */
export async function loadSharing(
  db: Kysely<Database>,
  caller: Caller,
  artifacts: readonly Shared[],
): Promise<ReadonlyMap<string, Sharing>> {
  const found = new Map<string, Sharing>(
    artifacts.map(({ id, link_mode, organization_role, user_id, team_id }) => {
      const isCreator = caller.kind !== "team" && user_id === caller.userId;
      const isTold = team_id === null || isCreator || inTeam(caller, team_id);
      return [
        id,
        {
          ...{ link: link_mode, people: 0, teams: 0, organization: organization_role !== null },
          ...(isTold && { made_for_team_id: team_id }),
        },
      ];
    }),
  );
  if (found.size === 0) return found;
  const counts = await db
    .selectFrom("artifact_grants")
    .select((eb) => ["artifact_id", "kind", eb.fn.countAll<string>().as("count")])
    .where("artifact_id", "in", [...found.keys()])
    .groupBy(["artifact_id", "kind"])
    .execute();
  for (const { artifact_id, kind, count } of counts) {
    const one = found.get(artifact_id);
    if (one) one[kind === "person" ? "people" : "teams"] = Number(count);
  }
  return found;
}
