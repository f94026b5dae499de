import type { Caller } from "../areas/handler.ts";
import { inTeam } from "./actor.ts";

/** Whose a knowledge source is (§2.9). A scope that we do not know is treated as `personal`. */
export interface SourceOwner {
  readonly scope: string;
  readonly teamId: string | null;
  readonly createdByUserId: string;
}

/** Whether the source exists for the caller: its maker, its team by scope `team`, every person by scope `organization`. */
export function mayReadSource(caller: Caller, source: SourceOwner): boolean {
  return mayManageSource(caller, source) || (source.scope === "organization" && caller.kind !== "team");
}

/**
 * Whether the caller may approve it or add files (§4.12): approving spends credits of its owner or team. What is a
 * team's is its members', so its maker who left the team has no hand in it any more.
 */
export function mayManageSource(caller: Caller, source: SourceOwner): boolean {
  if (source.scope === "team" && source.teamId !== null) return inTeam(caller, source.teamId);
  return caller.kind !== "team" && source.createdByUserId === caller.userId;
}
