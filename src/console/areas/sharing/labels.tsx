import { joinNames } from "../../lib/join-names.ts";
import { shownName } from "../../lib/shownName.ts";
import { counted } from "../../lib/words.ts";
import { type Access, type Grant, grantsTo, organizationRole, strength } from "./access.ts";
import type { Change, LinkChange } from "./plan.ts";

/** A piece of a sentence; strong ones carry the weight. */
export interface Piece {
  readonly text: string;
  readonly isStrong?: true;
}

/** What a name is needed for: teams are known by id only. */
export type TeamName = (teamId: string) => string;

const plain = (text: string): Piece => ({ text });
const strong = (text: string): Piece => ({ text, isStrong: true });

/**
 * What the settings leave open where the service does not say whose an artifact is (our own does), for people who are in
 * teams: an artifact of a team is read by its members without being given to them, and neither §2.3 nor §2.4 says so.
 */
export const teamCaveat = "If the file was created for a team, its members can view it too.";

/**
 * Who can really see an artifact with these settings, in one or two sentences: widest first. Everything that the
 * settings allow is in it, and nothing else (§2.4).
 */
export function whoSees(access: Access, teamName: TeamName): Piece[] {
  return [
    ...linkWords(access),
    ...organizationWords(access),
    ...homeWords(access, teamName),
    ...byNameWords(access, teamName),
    ...unknownRoleWords(access),
    ...hiddenWords(access),
    ...unreadWords(access),
  ];
}

function linkWords({ link }: Access): Piece[] {
  const role = link.role === "viewer" || link.role === null ? "" : `, with the role ${link.role}`;
  if (link.mode === "anyone") return [strong("Anyone with the link"), plain(` can view${role}. `)];
  if (link.mode === "password")
    return [strong("Anyone with the link and password"), plain(` can view${role}. `)];
  if (link.mode === "none") return [];
  return [
    plain("The link is set to "),
    strong(link.mode),
    plain(", an unknown setting. It may be open to anyone. "),
  ];
}

function organizationWords(access: Access): Piece[] {
  const organization = organizationRole(access);
  if (organization === null) return [];
  if (strength(organization) < 0)
    return [
      strong("Everyone in the organisation"),
      plain(` has an unknown role${organization ? ` (${organization})` : ""}. `),
    ];
  const can = strength(organization) > 0 ? " can view, and change who has access. " : " can view. ";
  return [strong("Everyone in the organisation"), plain(can)];
}

function homeWords({ homeTeamId }: Access, teamName: TeamName): Piece[] {
  if (homeTeamId == null) return [];
  return [
    plain("It was created for a team: everyone in "),
    strong(teamName(homeTeamId)),
    plain(" can view it, whatever is set here. "),
  ];
}

function byNameWords(access: Access, teamName: TeamName): Piece[] {
  const isKnown = ({ role }: Grant) => strength(role) >= 0;
  const people = grantsTo(access, "person").filter(isKnown);
  const teams = grantsTo(access, "team").filter(isKnown);
  const isOpen =
    access.link.mode !== "none" || organizationRole(access) !== null || access.homeTeamId != null;
  const [only] = people;
  if (people.length + teams.length === 0) {
    if (isOpen || access.hidden.length > 0 || access.unread.length > 0) return [];
    return [plain("No one has access by name. ")];
  }
  if (!isOpen && teams.length === 0 && people.length === 1 && only && access.hidden.length === 0) {
    return only.role === "owner"
      ? [plain("Only the owner, "), strong(only.name), plain(", has access by name. ")]
      : [plain("Only "), strong(only.name), plain(" has access by name. ")];
  }
  const pieces: Piece[] = [];
  if (people.length > 0) pieces.push(strong(counted(people.length, "person", "people")));
  if (people.length > 0 && teams.length > 0) pieces.push(plain(" and "));
  if (teams.length > 0) pieces.push(strong(counted(teams.length, "team", "teams")));
  const total = people.length + teams.length;
  pieces.push(plain(total === 1 ? " has access by name" : " have access by name"));
  const managers = [...people, ...teams]
    .filter(({ role }) => strength(role) > 0)
    .map(({ kind, id, name }) => (kind === "team" ? teamName(id) : name));
  if (managers.length === 0) pieces.push(plain(". "));
  else if (total === 1) pieces.push(plain(" and can change who has access. "));
  else pieces.push(plain(`; of these, ${joinNames(managers)} can also change who has access. `));
  return pieces;
}

function unknownRoleWords({ grants }: Access): Piece[] {
  const counts = new Map<string, number>();
  for (const { kind, role } of grants) {
    if (kind !== "organization" && strength(role) < 0) counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  return [...counts].flatMap(([role, n]) => [
    strong(String(n)),
    plain(` more ${n === 1 ? "has" : "have"} an unknown role${role === "" ? "" : ` (${role})`}. `),
  ]);
}

/** `4 people and 1 team`; empty where nothing is hidden. */
export function hiddenCount({ hidden }: Access): string {
  const people = hidden.reduce((sum, one) => sum + one.people, 0);
  const teams = hidden.reduce((sum, one) => sum + one.teams, 0);
  return [people > 0 && counted(people, "person", "people"), teams > 0 && counted(teams, "team", "teams")]
    .filter(Boolean)
    .join(" and ");
}

function hiddenWords(access: Access): Piece[] {
  const words = hiddenCount(access);
  if (words !== "") return [plain(`Your role hides ${words} with access. `)];
  return access.isLimited ? [plain("Your role shows only part of the access list. ")] : [];
}

const unreadNames = { people: "which people", teams: "which teams", link: "whether a link" };

function unreadWords({ unread }: Access): Piece[] {
  if (unread.length === 0) return [];
  return [plain(`Unknown: ${joinNames(unread.map((one) => unreadNames[one]))} can open it. `)];
}

/** "2 added, 1 removed", "link opened to anyone": what a plan does, in short. Each is one piece of a list. */
export function summary(changes: readonly Change[]): string[] {
  const grants = changes.filter((change) => change.kind !== "link");
  const added = grants.filter(({ from }) => from === null).length;
  const removed = grants.filter(({ to }) => to === null).length;
  const other = grants.length - added - removed;
  const parts: string[] = [];
  if (added > 0) parts.push(`${added} added`);
  if (removed > 0) parts.push(`${removed} removed`);
  if (other > 0) parts.push(`${counted(other, "role", "roles")} changed`);
  for (const change of changes) if (change.kind === "link") parts.push(linkChange(change));
  return parts;
}

function linkChange({ from, to, setsPassword }: LinkChange): string {
  if (to.mode === "none") return "link turned off";
  if (from.mode !== to.mode) {
    if (to.mode === "anyone") return "link opened to anyone";
    return to.mode === "password" ? "link opened with a password" : `link set to ${to.mode}`;
  }
  return setsPassword ? "new password for the link" : `link role changed to ${to.role ?? "default"}`;
}

/** One change as a sentence without a stop: "Priya Raman added as viewer". */
export function sayChange(change: Change, teamName: TeamName): string {
  if (change.kind === "link") {
    const words = linkChange(change);
    const role = change.to.mode !== "none" && change.to.role !== null ? `, role ${change.to.role}` : "";
    return words.charAt(0).toUpperCase() + words.slice(1) + (words.includes("role") ? "" : role);
  }
  const who = subjectName(change, teamName);
  if (change.to === null) return `${who} removed, was ${change.from}`;
  if (change.from === null) return `${who} added as ${change.to}`;
  return `${who} changed to ${change.to}, was ${change.from}`;
}

/** Whom or what a change is about: "Priya Raman (priya@example.com)", "The link". */
export function subjectName(change: Change, teamName: TeamName): string {
  if (change.kind === "link") return "The link";
  if (change.kind === "organization") return "Everyone in the organisation";
  if (change.kind === "team") return `Team ${teamName(change.id)}`;
  const id = shownName(change.id);
  return change.name === id ? id : `${change.name} (${id})`;
}

/** What a change comes from or leads to: "viewer", "no access", "password, viewer". */
export function sayEnd(end: Change["to"]): string {
  if (end === null) return "no access";
  if (typeof end === "string") return end;
  return [end.mode === "none" ? "off" : end.mode, end.role].filter(Boolean).join(", ");
}

/** Text of pieces, for tests and for those who listen. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text }) => text)
    .join("")
    .trim();
}

/** A sentence with its weight; names are isolated, so that their direction stays their own (C-08). */
export function Sentence({ pieces }: { pieces: readonly Piece[] }) {
  const counts = new Map<string, number>();
  return pieces.map((piece) => {
    const nth = (counts.get(piece.text) ?? 0) + 1;
    counts.set(piece.text, nth);
    const key = `${piece.text} ${nth}`;
    return piece.isStrong ? (
      <strong key={key} className="font-semibold">
        <bdi>{piece.text}</bdi>
      </strong>
    ) : (
      <span key={key}>{piece.text}</span>
    );
  });
}
