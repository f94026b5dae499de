import { z } from "zod";
import type { Actor } from "../permission/actor.ts";
import { NodeError } from "./node-error.ts";

/** §5.5: whose credentials a node uses in a run for a team. */
export const credentialsField = { credentials: z.enum(["personal", "team"]).default("personal") };

/**
 * For whom a node acts (docs/interface.md, "Whose credentials run it"): without a team as the run's user; with one as the
 * node says. Never one in place of the other.
 * @param connection named in the error
 * @throws NodeError where the run has no user whose credentials could be used
 */
export function actorFor(
  credentials: "personal" | "team",
  run: { readonly userId: string | null; readonly teamId: string | null },
  connection: string,
): Actor {
  const { userId, teamId } = run;
  if (credentials === "team" && teamId !== null) return { userId: null, teamId };
  if (userId !== null) return { userId, teamId };
  throw new NodeError(
    `it uses the personal credentials for ${connection}, but the run was started for a team without user_id`,
  );
}
