import type { DiagnosticFinding } from "../../../contract/diagnostics.ts";
import type { InstallationRole } from "../../../contract/roles.ts";
import { joinNames } from "../../lib/join-names.ts";
import { shownName } from "../../lib/shownName.ts";
import { counted } from "../../lib/words.ts";
import type { Tone } from "../../ui/State.tsx";
import { type PersonIn, personName } from "../directory/index.ts";

type Named = Readonly<Record<string, string>>;

type Row = { readonly id: string };

/** How many rows a list that begins with the newest has: "3 keys", "Newest 50 keys" where older ones were not read. */
export const newestCounted = (count: number, more: unknown, one: string, many?: string): string | false =>
  count > 0 && `${more === null ? "" : "Newest "}${counted(count, one, many)}`;

/** What somebody is called here, where "you" would not tell who. */
export const fullName = (row: PersonIn & Row): string => personName(row) ?? shownName(row.id);
/** A team by its name, else by its id. */
export const teamTitle = ({ id, name }: Row & { readonly name?: string | null | undefined }): string =>
  shownName(name || id);

/** What somebody is in the whole installation. */
export const roleNames: Named = { member: "Member", admin: "Admin" } satisfies Record<
  InstallationRole,
  string
>;

/** What each role of a team may do, as a sentence. */
export const teamRoleAbout: Named = {
  viewer: "Sees what the team has.",
  operator: "Sees what the team has, runs it, downloads from it, and answers approvals.",
  editor: "May what operators may, and changes agents, flows, evaluations and connections.",
  admin: "May what editors may, and manages members and team keys.",
};

export const planNames: Named = { free: "Free", pro: "Pro", enterprise: "Enterprise" };

/** The word for a value; one that is not known as it came. */
export const nameOf = (names: Named, value: string | null | undefined): string =>
  (value && Object.hasOwn(names, value) ? names[value] : value) || "Unknown";

type Described = { readonly tone: Tone; readonly word: string };

const personStates: Readonly<Record<string, Described>> = {
  active: { tone: "done", word: "Active" },
  invited: { tone: "waiting", word: "Invited" },
  deactivated: { tone: "stopped", word: "Deactivated" },
};

const keyStates: Readonly<Record<string, Described>> = {
  active: { tone: "done", word: "Active" },
  expired: { tone: "stopped", word: "Expired" },
  no_plan: { tone: "stopped", word: "Plan has no keys" },
  inactive: { tone: "stopped", word: "Owner inactive" },
};

const described = (table: Readonly<Record<string, Described>>, state: string | null | undefined): Described =>
  (state && Object.hasOwn(table, state) ? table[state] : undefined) ?? {
    tone: "unknown",
    word: state || "unknown",
  };

const findingStates: Readonly<Record<DiagnosticFinding["state"], Described>> = {
  problem: { tone: "failed", word: "Problem" },
  warning: { tone: "stopped", word: "Warning" },
  skipped: { tone: "waiting", word: "Not checked" },
  ok: { tone: "done", word: "OK" },
};

/** How a person stands. */
export const describePerson = (state: string | null | undefined) => described(personStates, state);
/** Whether a key works, and why not. */
export const describeKey = (state: string | null | undefined) => described(keyStates, state);
/** What a look at the installation came to. */
export const describeFinding = (state: string) => described(findingStates, state);

const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  agents: ["agent", "agents"],
  flows: ["flow", "flows"],
  knowledge_sources: ["knowledge source", "knowledge sources"],
  evaluations: ["evaluation", "evaluations"],
  conversations: ["conversation", "conversations"],
  runs: ["run", "runs"],
  artifacts: ["artifact", "artifacts"],
  connections: ["MCP sign-in", "MCP sign-ins"],
  keys: ["API key", "API keys"],
};

/** "3 agents"; a kind that is not known by its own word. */
export function ownedWords(kind: string, count: number): string {
  const [one, many] = kinds[kind] ?? [kind, kind];
  return counted(count, one, many);
}

/** The plural of a kind, as the beginning of a line: "Knowledge sources". */
export function kindName(kind: string): string {
  const many = kinds[kind]?.[1] ?? kind;
  return many.charAt(0).toUpperCase() + many.slice(1);
}

/** Where something is set that cannot be changed here. */
export const fileName = "wheelhouse.yaml";
/** What stands under a field that the file sets. */
export const setInFile = `Set in ${fileName}: change it there, then restart the service.`;

const fields: Named = {
  email: "e-mail",
  first_name: "first name",
  last_name: "last name",
  plan: "plan",
  role: "role",
  name: "name",
  members: "members",
  retired: "that the team exists",
};

/** "The e-mail and plan are set in wheelhouse.yaml."; null where nothing is. */
export function managedWords(managed: readonly (string | null)[] | null | undefined): string | null {
  const names = (managed ?? []).flatMap((field) =>
    field && field !== "retired" ? [nameOf(fields, field)] : [],
  );
  if (names.length === 0) return null;
  const verb = names.length === 1 && names[0] !== "members" ? "is" : "are";
  return `The ${joinNames(names, 8)} ${verb} set in ${fileName}. Change ${
    names.length === 1 && verb === "is" ? "it" : "them"
  } there, then restart the service.`;
}

const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** "Firefox on macOS", as the program names itself; its first word where that tells neither. */
export function programWords(userAgent: string | null | undefined): string {
  if (!userAgent) return "Unknown program";
  const of = (table: typeof browsers) => table.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = of(browsers);
  const system = of(systems);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent.split(/[\s/]/)[0] || "Unknown program");
}
