import type { explainPermissions, permissionObjects } from "../../../../contract/admin.ts";
import type { TeamRight } from "../../../../contract/roles.ts";
import type { DataOf } from "../../../api/client.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { nameOf } from "../labels.ts";

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
  team: "Team",
} as const satisfies Record<(typeof permissionObjects)[number], string>;

/** Of these there is no search by name; their pages lead to the question. */
export const isUnsearched = (kind: string): boolean => kind === "source" || kind === "evaluation";

/** What each right is, in the words of its effect. */
export const rightNames: Readonly<Record<string, string>> = {
  see: "See it",
  operate: "Run it, download from it, answer approvals",
  edit: "Change it",
  manage: "Manage members and team keys",
  share: "Change who has access",
  delete: "Delete it",
} satisfies Record<TeamRight | "share" | "delete", string>;

/** The rule behind an answer, as a sentence. */
export function ruleWords({ right, rule, role, needs, allowed }: Answer): string {
  const [is, takes] = [nameOf(teamRoleNames, role), nameOf(teamRoleNames, needs)];
  switch (rule) {
    case "owner":
      return "They own it.";
    case "team_role":
      if (needs === null && !allowed)
        return "Its team may only view it; this takes an editor or owner of it.";
      return allowed ? `They are ${is} in its team.` : `They are ${is} in its team; this takes ${takes}.`;
    case "installation_admin":
      return "They are admin of the installation, who look after every team.";
    case "granted":
      return right === "share"
        ? allowed
          ? "They were made an editor or owner of it."
          : "They may only view it; this takes an editor or owner of it."
        : "It was shared with them.";
    case "not_creator":
      return "Only its creator may.";
    case "not_member":
      return needs === null ? "It belongs to another person." : "They are not in its team.";
    case "deactivated":
      return "They are deactivated: nothing is allowed.";
    default:
      return rule ? `Rule: ${rule}` : "The service does not say why.";
  }
}
