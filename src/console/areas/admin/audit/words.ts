import type { AuditAction, AuditObject } from "../../../../contract/audit.ts";
import { shownName } from "../../../lib/shownName.ts";
import { personName } from "../../directory/index.ts";
import type { AuditRow } from "../queries.ts";

/** What was done, as the beginning of a line. */
export const actionNames: Readonly<Record<string, string>> = {
  "agent.create": "Created agent",
  "agent.update": "Changed agent",
  "artifact.delete": "Deleted artifact",
  "artifact.download": "Downloaded artifact",
  "artifact.restore": "Restored artifact",
  "artifact.share": "Changed sharing",
  "audit.export": "Exported audit log",
  "backup.create": "Made backup",
  "backup.restore": "Restored backup",
  "conversation.continue": "Continued conversation",
  "conversation.delete": "Deleted conversation",
  "conversation.keep": "Marked conversation",
  "conversation.copy": "Went on in a copy of a conversation",
  "conversation.restore": "Restored conversation",
  "conversation.start": "Started conversation",
  "conversation.stop": "Stopped turn",
  "evaluation.create": "Created rubric",
  "evaluation.delete": "Deleted rubric",
  "evaluation.update": "Changed rubric",
  "evaluation_config.update": "Changed criteria",
  "evaluations.run": "Ran evaluations",
  "files.adopt": "Adopted files folder",
  "files.move": "Moved files to another place",
  "files.download": "Downloaded files",
  "key.create": "Created API key",
  "key.refuse": "API key refused",
  "key.revoke": "Revoked API key",
  "link.open": "Opened shared link",
  "link.refuse": "Wrong link password",
  "mcp.approve_tools": "Accepted tools",
  "mcp.begin_sign_in": "Began MCP sign-in",
  "mcp.call_tool": "Tried tool",
  "mcp.connect": "Connected MCP server",
  "mcp.disconnect": "Disconnected MCP server",
  "person.create": "Added person",
  "person.hand_over": "Handed over",
  "person.invite": "Invited person",
  "person.renew_invitation": "Renewed invitation",
  "person.update": "Changed person",
  "program.allow": "Let in program",
  "program.end": "Ended program’s access",
  "program.misuse": "Ended on token misuse",
  "program.refuse": "Refused program",
  "program.register": "Registered program",
  "program.remove": "Removed program",
  "question.answer": "Answered approval",
  "retention.delete": "Ran retention",
  "run.again": "Ran again",
  "run.keep": "Marked run",
  "run.kill": "Killed run",
  "run.start": "Started run",
  "schema.upgrade": "Upgraded schema",
  "session.create": "Signed in",
  "session.end": "Ended session",
  "session.refuse": "Sign-in refused",
  "sign_in_link.create": "Made sign-in link",
  "source.add_files": "Added files",
  "source.approve": "Approved source",
  "source.create": "Created source",
  "source.delete": "Deleted source",
  "source.restore": "Restored source",
  "team.create": "Created team",
  "team.remove_member": "Removed member",
  "team.set_member": "Set member",
  "team.update": "Changed team",
  "work.resume": "Resumed work",
  "workspace.load": "Loaded workspace",
} satisfies Record<AuditAction, string>;

/** What entries are about. */
export const objectNames: Readonly<Record<string, string>> = {
  agent: "Agent",
  artifact: "Artifact",
  conversation: "Conversation",
  evaluation: "Rubric",
  installation: "Installation",
  key: "API key",
  mcp_server: "MCP server",
  person: "Person",
  program: "Program",
  question: "Approval",
  run: "Run",
  session: "Session",
  source: "Knowledge source",
  team: "Team",
} satisfies Record<AuditObject, string>;

/** Who did it, as a name, and by which program. */
export function actorWords({ by, program }: AuditRow): string {
  const person = () => personName(by?.user) ?? shownName(by?.user?.id ?? "");
  switch (by?.kind) {
    case "person":
      return program ? `${person()} via ${shownName(program.name || program.id || "a program")}` : person();
    case "program":
      return `${shownName(by.name || "A program")} for ${person()}`;
    case "team":
      return `Key of ${shownName(by.team?.name || by.team?.id || "a team")}`;
    case "command":
      return by.name || "Command line";
    case "service":
      return "Wheelhouse";
    default:
      return "Not signed in";
  }
}

/** What it was done to, by its name then; its id where it had none. */
export const objectWords = ({ object }: AuditRow): string => shownName(object?.name || object?.id || "");

/** A field as people read it: `model_name` is "model name". */
export const fieldWords = (field: string): string => field.replaceAll("_", " ");
