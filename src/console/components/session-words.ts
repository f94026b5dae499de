import type { SignedIn } from "../session/signed-in.ts";

const kinds = { personal: "Personal key", team: "Team key", token: "Access token" } as const;

/** The team in use, by its name where the service told it; null for none. */
export function teamName({ credential, teams }: Pick<SignedIn, "credential" | "teams">): string | null {
  if (credential.teamId === null) return null;
  return teams?.find((team) => team.id === credential.teamId)?.name ?? credential.teamId;
}

/** With what the person is signed in: "Personal key · Revenue Ops". */
export function credentialWords(as: Pick<SignedIn, "credential" | "teams">): string {
  const team = teamName(as);
  return team === null ? kinds[as.credential.kind] : `${kinds[as.credential.kind]} · ${team}`;
}
