import { useQuery } from "@tanstack/react-query";
import { explainPermissions, getOwnRoles, type permissionObjects } from "../../../contract/admin.ts";
import { neededRole, type TeamRight } from "../../../contract/roles.ts";
import { readOptions } from "../../api/read.ts";
import { type Api, useApi, useCan } from "../api.tsx";
import { shownName } from "../shownName.ts";
import { teamRoleName } from "./role-names.ts";

/** How long roles count as known, in ms: what is offered may be wrong for so long, and the service decides all the same. */
const staleTime = 10_000;

/** The roles of whoever is signed in, as of the last ten seconds. */
const ownRoles = (api: Api) => readOptions(api, getOwnRoles, {}, { staleTime });

function useRoles(isAsked: boolean) {
  const api = useApi();
  const hasRoles = useCan("admin");
  // A team's key has the rights of an editor, and no roles that could be read.
  const read = useQuery({ ...ownRoles(api), enabled: isAsked && hasRoles && api.who.kind !== "team" });
  return read.data?.data.teams ?? null;
}

/**
 * Why the person may not do something with what belongs to a team, as words without a full stop; undefined: they may, it is no
 * team's, or only the service knows. The same table of roles decides there.
 */
export type MissingRight = (teamId: string | null | undefined, right: TeamRight) => string | undefined;

/** Asks that of any team. @param isAsked whether there is something of a team at all: else no roles are read */
export function useMissingRights(isAsked = true): MissingRight {
  const teams = useRoles(isAsked);
  return (teamId, right) => {
    if (teamId == null || teams === null) return undefined;
    const team = teams.find((one) => one?.id === teamId);
    if (!team) return notInTeam;
    if (!team.role || !team.rights || team.rights.includes(right)) return undefined;
    return missingWords(team.role, shownName(team.name || teamId), neededRole(right));
  };
}

/** The same of one thing of one team. */
export function useMissingRight(teamId: string | null | undefined, right: TeamRight): string | undefined {
  return useMissingRights(teamId != null)(teamId, right);
}

/**
 * The same of a thing of which it is not told whose it is: by the service's own explanation, which is asked for only where the
 * person is in a team in which they lack the right.
 */
export function useMissingRightOf(
  object: (typeof permissionObjects)[number],
  id: string | undefined,
  right: TeamRight | "delete",
): string | undefined {
  const api = useApi();
  const teams = useRoles(id !== undefined);
  const ofTeams = right === "delete" ? "operate" : right;
  const lacks = teams?.some((team) => team?.rights && !team.rights.includes(ofTeams)) ?? false;
  const { userId } = api.who;
  const input = { params: { user_id: userId ?? "" }, query: { object, object_id: id ?? "" } };
  const read = useQuery({
    ...readOptions(api, explainPermissions, input, { staleTime }),
    enabled: lacks && userId !== null && id !== undefined,
    retry: false,
  });
  const answer = read.data?.data.answers?.find((one) => one?.right === right);
  if (!lacks || answer?.allowed !== false) return undefined;
  if (!answer.role) return answer.team_id ? notInTeam : undefined;
  const name = teams?.find((team) => team?.id === answer.team_id)?.name;
  return missingWords(answer.role, name ? shownName(name) : "its team", answer.needs ?? neededRole(ofTeams));
}

const notInTeam = "You are not in its team";

const missingWords = (role: string, team: string, needs: string): string =>
  `You are ${teamRoleName(role)} in ${team}; this takes ${teamRoleName(needs)}`;

/**
 * Those teams for which the person may do something, and a sentence about those that are left out.
 * @param teams that they are in; null where the service does not tell
 */
export function useTeamsWith<T extends { readonly id: string; readonly name: string }>(
  teams: readonly T[] | null,
  right: TeamRight,
): { readonly teams: readonly T[]; readonly leftOut: string | undefined } {
  const missing = useMissingRights(teams !== null && teams.length > 0);
  const all = teams ?? [];
  const without = all.filter(({ id }) => missing(id, right) !== undefined);
  const [first] = without;
  if (first === undefined) return { teams: all, leftOut: undefined };
  const may = all.filter((team) => !without.includes(team));
  const leftOut =
    without.length === 1
      ? `${missing(first.id, right)}.`
      : `Your role does not allow this in ${without.length} of your teams: it takes ${teamRoleName(neededRole(right))}.`;
  return { teams: may, leftOut };
}
