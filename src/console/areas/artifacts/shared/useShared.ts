import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Received } from "../../../../contract/define.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { type More, usePages } from "../../../lib/paging/usePages.ts";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { useWhole } from "../../../lib/paging/useWhole.ts";
import { shownName } from "../../../lib/shownName.ts";
import { isolated } from "../../../lib/shownText.ts";
import { counted } from "../../../lib/words.ts";
import {
  type Access,
  artifactAccessQueries,
  domainOf,
  grantsTo,
  isOwner,
  organizationRole,
  outsideDomains,
  readAccess,
  type SharedArtifact,
  type TeamName,
} from "../../sharing/index.ts";
import { artifactPages, type SharedWhy } from "../queries.ts";

/** How many rows are read at a time: who has access is one request each. */
const atOnce = 4;
/** So many are listed. */
const most = 1_000;

/** One of the two lists of what a person shares, page by page. */
function useSharedList(why: SharedWhy) {
  const api = useApi();
  const pages = usePages(artifactPages(api, { kind: "all", shared: why }));
  const { query: first, more, rows: listed } = pages;
  useWhole(pages, most);
  return {
    first,
    artifacts: useMemo(() => artifactsOf(listed), [listed]),
    damage: pages.damage,
    /** Null: all is read. Else why something is missing. */
    missing: missingOf(hasFailed(first), more, listed.length),
    readRest: () => (more === null ? void first.refetch() : more.read()),
  };
}

function missingOf(
  hasFailed: boolean,
  more: More | null,
  read: number,
): "failed" | "reading" | "too many" | null {
  if (hasFailed) return "failed";
  if (more === null) return null;
  if (more.error !== null) return "failed";
  return read >= most ? "too many" : "reading";
}

/** Everything that this person shares, with who has access to each as far as it is read. */
export function useShared() {
  const api = useApi();
  const given = useSharedList("by hand");
  const through = useSharedList("through a team");
  const { first, artifacts } = given;
  const known = new Set(artifacts.map(({ id }) => id));
  // A service that does not know the question answers with everything: only what it calls a share is one.
  const teams = through.artifacts.filter(({ id, sharing }) => sharing?.made_for_team_id && !known.has(id));

  const canRead = useCan("artifact_access");
  // A link needs no more than the list says; names and addresses are read where somebody was named.
  const wanted = artifacts.filter(({ sharing }) => canRead && (!sharing || (sharing.people ?? 1) > 0));
  const turn = useQueries({
    queries: wanted.map(({ id }) => ({ ...artifactAccessQueries.ofRow(api, id), enabled: false })),
    combine: (reads) => reads.filter(({ isSuccess, isError }) => isSuccess || isError).length,
  });
  const reads = useQueries({
    queries: wanted.map(({ id }, index) => ({
      ...artifactAccessQueries.ofRow(api, id),
      enabled: index < turn + atOnce,
    })),
  });
  const byId = new Map(wanted.map(({ id }, index) => [id, reads[index]]));
  const rowOf = (artifact: SharedRow["artifact"], isThroughTeam: boolean): SharedRow => {
    const read = byId.get(artifact.id);
    return {
      artifact,
      name: rowName(artifact),
      isThroughTeam,
      access: read?.data ? readAccess(read.data.data.access) : null,
      error: read?.error ?? null,
      isReading: read?.isPending === true,
    };
  };
  const rows = [
    ...artifacts.map((artifact) => rowOf(artifact, false)),
    ...teams.map((artifact) => rowOf(artifact, true)),
  ];
  return {
    queryKey: first.queryKey,
    first,
    /** The first page of what goes through teams. */
    throughTeams: through.first,
    rows,
    damage: [...given.damage, ...through.damage],
    /** Every row was read or could not be: only then may rows change places. */
    isSettled: rows.every(({ isReading }) => !isReading),
    missing: through.first.isPending ? ("reading" as const) : (given.missing ?? through.missing),
    readRest: () => {
      for (const list of [given, through]) if (list.missing === "failed") list.readRest();
    },
    readRow: (id: string) => void byId.get(id)?.refetch(),
  };
}

/** One shared artifact: what the list says, and what is known of its access. */
export interface SharedRow {
  readonly artifact: Received<SharedArtifact> & { readonly id: string };
  readonly name: string;
  /** Only because it was made for a team: there is no grant that could be taken away. */
  readonly isThroughTeam: boolean;
  /** Null while it is not read, and where it cannot be. */
  readonly access: Access | null;
  readonly error: unknown;
  readonly isReading: boolean;
}

const groups = ["open", "password", "outside", "inside", "team"] as const;
export type Group = (typeof groups)[number];

/** Those with an id, each once, in the order of the list. */
function artifactsOf(rows: readonly (Received<SharedArtifact> | null)[]): SharedRow["artifact"][] {
  const seen = new Map<string, SharedRow["artifact"]>();
  for (const row of rows) {
    const id = row?.id;
    if (row && typeof id === "string" && id !== "" && !seen.has(id)) seen.set(id, { ...row, id });
  }
  return [...seen.values()];
}

const rowName = (artifact: SharedRow["artifact"]): string => shownName(artifact.filename || artifact.id);

/** How the link opens: from the settings themselves where they were read, else from the list. */
function linkMode({ artifact, access }: SharedRow): string {
  return access?.link.mode ?? artifact.sharing?.link ?? "none";
}

/** The domains of people with access that are not the owner's. */
export function outsideOf({ access }: SharedRow): string[] {
  if (access === null) return [];
  const people = grantsTo(access, "person");
  const home = new Set(people.filter(isOwner).map(({ id }) => domainOf(id)));
  return outsideDomains(
    people.map(({ id }) => id),
    home,
  );
}

/** How far it is open: a link to anyone first. A link mode that we do not know may open to anyone too. */
export function groupOf(row: SharedRow): Group {
  if (row.isThroughTeam) return "team";
  const mode = linkMode(row);
  if (mode === "password") return "password";
  if (mode !== "none") return "open";
  return outsideOf(row).length > 0 ? "outside" : "inside";
}

/**
 * Whom it is open to, in few words: "Anyone with the link, 2 people, Harbor". A single person or team is named once it is
 * known who that is.
 */
export function openTo(row: SharedRow, teamName: TeamName): string {
  const { artifact, access } = row;
  const mode = linkMode(row);
  const [person, ...others] = access ? grantsTo(access, "person").filter((grant) => !isOwner(grant)) : [];
  const [team, ...otherTeams] = access ? grantsTo(access, "team") : [];
  const people = access ? (person ? 1 : 0) + others.length : artifact.sharing?.people;
  const teams = access ? (team ? 1 : 0) + otherTeams.length : artifact.sharing?.teams;
  const everyone = access ? organizationRole(access) !== null : artifact.sharing?.organization === true;
  const home = access?.homeTeamId ?? artifact.sharing?.made_for_team_id;
  const parts = [
    mode === "anyone" && "anyone with the link",
    mode === "password" && "anyone with the link and password",
    !["anyone", "password", "none"].includes(mode) && `a link set to ${shownName(mode)}`,
    everyone && "everyone in the organisation",
    people != null &&
      people > 0 &&
      (person && people === 1 ? isolated(person.name || person.id) : counted(people, "person", "people")),
    teams != null &&
      teams > 0 &&
      (team && teams === 1 ? isolated(teamName(team.id)) : counted(teams, "team", "teams")),
    home != null && `everyone in ${teamName(home)}, because it was created for that team`,
  ].filter((part): part is string => typeof part === "string");
  if (parts.length === 0) return access === null && !artifact.sharing ? "Unknown" : "No one else";
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Rows by group, the widest open first; `isSplit` false keeps those without a link together. */
export function grouped(rows: readonly SharedRow[], isSplit: boolean): { group: Group; rows: SharedRow[] }[] {
  const of = (row: SharedRow) => {
    const group = groupOf(row);
    return !isSplit && group === "outside" ? "inside" : group;
  };
  return groups
    .map((group) => ({ group, rows: rows.filter((row) => of(row) === group) }))
    .filter((one) => one.rows.length > 0);
}
