import { type KnownTeam, kinds, type SignedIn, teamName } from "./signed-in.ts";

/** Whose something new can be beside the person's own: `only` the team of a team's key, by its name, or one of `teams`. */
export function ownersOf(as: Pick<SignedIn, "credential" | "teams">) {
  const { kind, teamId } = as.credential;
  const teams: readonly KnownTeam[] = as.teams ?? (teamId === null ? [] : [{ id: teamId, name: teamId }]);
  return { only: kind === "team" ? (teamName(as) ?? "the key’s team") : null, teams };
}

/** With what the person is signed in: "Personal key · Revenue Ops". */
export function credentialWords(as: Pick<SignedIn, "credential" | "teams">): string {
  const team = teamName(as);
  return team === null ? kinds[as.credential.kind] : `${kinds[as.credential.kind]} · ${team}`;
}
