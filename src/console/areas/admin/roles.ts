import { useApi } from "../../lib/api.tsx";
import { type Read, useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { adminQueries } from "./queries.ts";

/** What the person may do here. */
export interface OwnRoles {
  /** Looks after people, teams and keys of the whole installation. */
  readonly isAdmin: boolean;
  /** The teams whose members and keys they look after as members. */
  readonly managed: readonly { readonly id: string; readonly name: string }[];
  /** Whether they look after this team. */
  readonly manages: (teamId: string) => boolean;
  /** Admins, and those of a team, who add people to theirs. */
  readonly seesPeople: boolean;
  /** Why it is not known what they may do; undefined where it is. */
  readonly unknown: string | undefined;
}

/** What is offered while that is not known: what everyone may do. */
export const unknownRoles = (hasFailed: boolean, seesPeople: boolean): OwnRoles => ({
  isAdmin: false,
  managed: [],
  manages: () => false,
  seesPeople,
  unknown: hasFailed ? "Your roles could not be loaded" : "Your roles are still loading",
});

/** The roles that the person has now; null while they are not known. */
export function useOwnRoles(): { readonly roles: OwnRoles | null; readonly read: Read<unknown> } {
  const read = useRead(adminQueries.roles(useApi()));
  if (read.data === undefined) return { roles: null, read };
  const { role, teams } = read.data.data;
  const isAdmin = role === "admin";
  const managed = (teams ?? []).flatMap((team) =>
    team?.id && team.rights?.includes("manage")
      ? [{ id: team.id, name: shownName(team.name || team.id) }]
      : [],
  );
  const roles = {
    isAdmin,
    managed,
    manages: (teamId: string) => isAdmin || managed.some(({ id }) => id === teamId),
    seesPeople: isAdmin || managed.length > 0,
    unknown: undefined,
  };
  return { roles, read };
}
