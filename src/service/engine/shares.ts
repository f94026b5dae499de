/** Whose work something is: the team or person whose limit it counts for, and the person in it. */
export interface Tenant {
  readonly limitKey: string;
  readonly person: string;
}

/** @returns whose work an execution is */
export function tenantOf({
  teamId,
  userId,
}: {
  readonly teamId: string | null;
  readonly userId: string | null;
}): Tenant {
  const person = userId ?? "";
  return { limitKey: teamId === null ? `user:${person}` : `team:${teamId}`, person };
}

/** As the database names a person of a team. */
export const personKey = ({ limitKey, person }: Tenant) => `${limitKey} ${person}`;

/** Who has how many of a process's places. */
export interface Shares {
  add(tenant: Tenant): void;
  remove(tenant: Tenant): void;
  /** Whether its team has fewer than it would have if all teams here had as many; never where it is the only one. */
  isTeamBelow(tenant: Tenant): boolean;
  /** The same of a person among those of its team. */
  isPersonBelow(tenant: Tenant): boolean;
  /** How many places its team has, and how many of those are the person's. */
  countOf(tenant: Tenant): { readonly team: number; readonly person: number };
  /** All that have a place. */
  tenants(): Tenant[];
}

/** @param places how many there are to be shared */
export function createShares(places: number): Shares {
  const teams = new Map<string, Map<string, number>>();
  const sum = (people: Map<string, number> | undefined) =>
    [...(people?.values() ?? [])].reduce((total, count) => total + count, 0);
  const withOne = (map: ReadonlyMap<string, unknown> | undefined, key: string) =>
    (map?.size ?? 0) + (map?.has(key) ? 0 : 1);
  const shareOf = (all: number, among: number) => Math.max(1, Math.floor(all / among));

  return {
    add({ limitKey, person }) {
      const people = teams.get(limitKey) ?? new Map<string, number>();
      teams.set(limitKey, people.set(person, (people.get(person) ?? 0) + 1));
    },
    remove({ limitKey, person }) {
      const people = teams.get(limitKey);
      const left = (people?.get(person) ?? 0) - 1;
      if (left > 0) people?.set(person, left);
      else people?.delete(person);
      if (people?.size === 0) teams.delete(limitKey);
    },
    isTeamBelow({ limitKey }) {
      const among = withOne(teams, limitKey);
      return among > 1 && sum(teams.get(limitKey)) < shareOf(places, among);
    },
    isPersonBelow({ limitKey, person }) {
      const people = teams.get(limitKey);
      const among = withOne(people, person);
      const ofTeam = shareOf(places, withOne(teams, limitKey));
      return among > 1 && (people?.get(person) ?? 0) < shareOf(ofTeam, among);
    },
    countOf({ limitKey, person }) {
      const people = teams.get(limitKey);
      return { team: sum(people), person: people?.get(person) ?? 0 };
    },
    tenants: () =>
      [...teams].flatMap(([limitKey, people]) => [...people.keys()].map((person) => ({ limitKey, person }))),
  };
}
