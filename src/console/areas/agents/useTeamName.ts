import { useSignedIn } from "../session/index.ts";

/** What a team is called where the sign-in told it, else its id; null for no team: the agent is a person's own. */
export function useTeamName(teamId: string | null | undefined): string | null {
  const { teams } = useSignedIn();
  if (!teamId) return null;
  return teams?.find((team) => team.id === teamId)?.name ?? teamId;
}
