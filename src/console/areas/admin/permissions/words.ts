import type { explainPermissions, permissionObjects, rightsOver } from "../../../../contract/admin.ts";
import type { DataOf } from "../../../api/client.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { nameOf } from "../labels.ts";
import type { PermissionObject as Kind } from "./find-objects.ts";

type Answers = NonNullable<DataOf<typeof explainPermissions>["answers"]>;
/** One answer as it may really come. */
export type Answer = NonNullable<Answers[number]>;

/** What can be asked about, by what a person calls it. */
export const objectNames = {
  agent: "Agent",
  flow: "Flow",
  run: "Run",
  conversation: "Conversation",
  artifact: "Artifact",
  source: "Knowledge source",
  evaluation: "Rubric",
  mcp_server: "MCP server",
  key: "API key",
  team: "Team",
} as const satisfies Record<(typeof permissionObjects)[number], string>;

/** What each right is of each kind, in the words of its effect. */
const rightNames: { readonly [K in Kind]: Readonly<Record<(typeof rightsOver)[K][number], string>> } = {
  agent: {
    see: "See it",
    operate: "Write to it, evaluate it",
    edit: "Change it and its criteria, retire it",
  },
  flow: { see: "See it", operate: "Start runs of it" },
  run: { see: "See it and its log", operate: "Stop it, run it again, download its files" },
  conversation: { see: "Read it", operate: "Write in it, stop a turn, delete it" },
  artifact: { see: "See it", share: "Change who has access", delete: "Delete it" },
  source: { see: "Read it", edit: "Approve it, add files, delete it" },
  evaluation: { see: "See it and its results", edit: "Change it, delete it" },
  mcp_server: {
    see: "See it and its tools",
    operate: "Try its tools",
    edit: "Sign in to it, disconnect it, approve changed tools",
  },
  key: { manage: "See that it exists, revoke it" },
  team: {
    see: "See it and its members",
    operate: "Start runs and conversations for it",
    edit: "Change what belongs to it",
    manage: "Manage members and team keys",
  },
};

/** A right in words; one that we do not know as it came. */
export function rightName(kind: Kind, right: string): string {
  const names: Readonly<Record<string, string>> = rightNames[kind];
  return names[right] ?? right;
}

/** The rule behind an answer, as a sentence. */
export function ruleWords({ right, rule, role, needs, allowed, team_id }: Answer, kind: Kind): string {
  const [is, takes] = [nameOf(teamRoleNames, role), nameOf(teamRoleNames, needs)];
  const there = placeOf(kind, team_id);
  switch (rule) {
    case "owner":
      return "They own it.";
    case "team_role":
      if (needs === null && !allowed)
        return "Its team may only view it; this takes an editor or owner of it.";
      return allowed ? `They are ${is} in ${there}.` : `They are ${is} in ${there}; this takes ${takes}.`;
    case "installation_admin":
      return "They are an admin of the installation, which looks after people, teams and keys.";
    case "granted":
      return right === "share"
        ? allowed
          ? "They were made an editor or owner of it."
          : "They may only view it; this takes an editor or owner of it."
        : "It was shared with them.";
    case "everyone":
      return "It is for everyone here.";
    case "not_creator":
      return "Only its creator may.";
    case "not_member":
      return needs === null ? "It belongs to another person." : `They are not in ${there}.`;
    case "deactivated":
      return "They are deactivated: nothing is allowed.";
    default:
      return rule ? `Rule: ${rule}` : "The service does not say why.";
  }
}

/** Where somebody has, or lacks, the role that decides. */
function placeOf(kind: Kind, teamId: string | null | undefined): string {
  if (kind === "team") return "it";
  if (kind !== "mcp_server") return "its team";
  return teamId ? "this team" : "a team that may use it";
}
