import type { Received } from "../../../../contract/define.ts";
import { shownName } from "../../../lib/shownName.ts";
import { counted } from "../../../lib/words.ts";
import {
  type Access,
  domainOf,
  outsideDomains,
  type SharedArtifact,
  type TeamName,
} from "../../sharing/index.ts";

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

export const groups = ["open", "password", "outside", "inside", "team"] as const;
export type Group = (typeof groups)[number];

/** Those with an id, each once, in the order of the list. */
export function artifactsOf(rows: readonly (Received<SharedArtifact> | null)[]): SharedRow["artifact"][] {
  const seen = new Map<string, SharedRow["artifact"]>();
  for (const row of rows) {
    const id = row?.id;
    if (row && typeof id === "string" && id !== "" && !seen.has(id)) seen.set(id, { ...row, id });
  }
  return [...seen.values()];
}

export const rowName = (artifact: SharedRow["artifact"]): string =>
  shownName(artifact.filename || artifact.id);

/** How the link opens: from the settings themselves where they were read, else from the list. */
export function linkMode({ artifact, access }: SharedRow): string {
  return access?.link.mode ?? artifact.sharing?.link ?? "none";
}

/** The domains of people with access that are not the owner's. */
export function outsideOf({ access }: SharedRow): string[] {
  if (access === null) return [];
  const home = new Set(
    access.people.filter(({ role }) => role === "owner").map(({ email }) => domainOf(email)),
  );
  return outsideDomains(
    access.people.map(({ email }) => email),
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

/** Whom it is open to, in few words: "Anyone with the link, 2 people, 1 team". */
export function openTo(row: SharedRow, teamName: TeamName): string {
  const { artifact, access } = row;
  const mode = linkMode(row);
  const people = access
    ? access.people.filter(({ role }) => role !== "owner").length
    : artifact.sharing?.people;
  const teams = access?.teams.length ?? artifact.sharing?.teams;
  const everyone = access ? access.organization !== null : artifact.sharing?.organization === true;
  const home = access?.homeTeamId ?? artifact.sharing?.made_for_team_id;
  const parts = [
    mode === "anyone" && "anyone with the link",
    mode === "password" && "whoever has the link and its password",
    !["anyone", "password", "none"].includes(mode) && `a link set to ${shownName(mode)}`,
    everyone && "everyone in the organisation",
    people != null && people > 0 && counted(people, "person", "people"),
    teams != null && teams > 0 && counted(teams, "team", "teams"),
    home != null && `everybody in ${teamName(home)}, as it was made for that team`,
  ].filter((part): part is string => typeof part === "string");
  if (parts.length === 0) return access === null && !artifact.sharing ? "Unknown" : "Nobody else any more";
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
