import type { SignedIn } from "./signed-in.ts";

const kinds = { personal: "Personal key", team: "Team key", token: "Access token" } as const;

/** The team in use, by its name where the service told it; a team's key acts for its one team. Null for none. */
export function teamName({ credential, teams }: Pick<SignedIn, "credential" | "teams">): string | null {
  if (credential.teamId === null)
    return credential.kind === "team" && teams?.length === 1 ? (teams[0]?.name ?? null) : null;
  return teams?.find((team) => team.id === credential.teamId)?.name ?? credential.teamId;
}

/** With what the person is signed in: "Personal key · Revenue Ops". */
export function credentialWords(as: Pick<SignedIn, "credential" | "teams">): string {
  const team = teamName(as);
  return team === null ? kinds[as.credential.kind] : `${kinds[as.credential.kind]} · ${team}`;
}

/**
 * For the foot of the sidebar: who the person is, and for which team they act; last, what may be cut off: the connection
 * where there are others, else the kind of key.
 */
export function signedInWords(as: SignedIn, hasOtherConnections: boolean) {
  const { connection, credential, userName } = as;
  return {
    who: userName ?? credential.userId ?? connection.name,
    forWhom: `${teamName(as) ?? "No team"} · ${hasOtherConnections ? connection.name : kinds[credential.kind]}`,
  };
}
