import * as z from "zod/mini";
import { place } from "./admin-keys.ts";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { count, nextCursor, page, team, text, time, utcTime } from "./wire.ts";

/** What the audit log knows of, as `object.action`. */
export const auditActions = [
  "agent.create",
  "agent.update",
  "artifact.delete",
  "artifact.download",
  "artifact.restore",
  "artifact.share",
  "audit.export",
  "backup.create",
  "backup.restore",
  "conversation.delete",
  "conversation.keep",
  "conversation.copy",
  "conversation.restore",
  "conversation.start",
  "conversation.continue",
  "conversation.stop",
  "evaluation.create",
  "evaluation.delete",
  "evaluation.update",
  "evaluation_config.update",
  "evaluations.run",
  "files.adopt",
  "files.move",
  "files.download",
  "key.create",
  "key.refuse",
  "key.revoke",
  "link.open",
  "link.refuse",
  "mcp.approve_tools",
  "mcp.begin_sign_in",
  "mcp.call_tool",
  "mcp.connect",
  "mcp.disconnect",
  "person.create",
  "person.hand_over",
  "person.invite",
  "person.renew_invitation",
  "person.update",
  "program.allow",
  "program.end",
  "program.misuse",
  "program.refuse",
  "program.register",
  "program.remove",
  "question.answer",
  "retention.delete",
  "run.again",
  "run.keep",
  "run.kill",
  "run.start",
  "schema.upgrade",
  "session.create",
  "session.end",
  "session.refuse",
  "sign_in_link.create",
  "source.add_files",
  "source.approve",
  "source.create",
  "source.delete",
  "source.restore",
  "team.create",
  "team.remove_member",
  "team.set_member",
  "team.update",
  "work.resume",
  "workspace.load",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What an entry of the audit log can be about. */
export const auditObjects = [
  "agent",
  "artifact",
  "conversation",
  "evaluation",
  "installation",
  "key",
  "mcp_server",
  "person",
  "program",
  "question",
  "run",
  "session",
  "source",
  "team",
] as const;
export type AuditObject = (typeof auditObjects)[number];

/**
 * Who did it: a person, a team's key, a program at the token endpoint, a command on the machine, the service by itself, or no one
 * that is known.
 */
export const auditActors = ["person", "team", "program", "command", "service", "unknown"] as const;

/** A field that is another one now. Values of fields that may hold more than a name or a choice are left out. */
const change = z.object({
  field: z.string(),
  /** Whether the values are here; else only that the field has changed. */
  shown: z.boolean(),
  /** At most 200 characters of it; null: there was none, or it is not shown. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});

/** One entry of the audit log. */
export const auditEntry = z.object({
  /** Its position in the chain, from 1. */
  id: z.string(),
  /** When the transaction of the change began, by the database's clock. */
  at: utcTime,
  action: openEnum(auditActions),
  by: z.object({
    kind: openEnum(auditActors),
    user: z.nullable(person),
    /** The team of a team's key. */
    team: z.nullable(team),
    /** Of a command who ran it on which machine; of a program what it is called, with the person for whom it acts as `user`. */
    name: z.nullable(z.string()),
  }),
  /** The person for whom a team's key acted. */
  for_user: z.nullable(person),
  /** By id: the secret is nowhere. */
  credential: z.nullable(z.object({ id: z.string(), kind: openEnum(["personal", "team", "token"]) })),
  /** The program that did it with what the person let it do, by the id of its connection; null: they did it themselves. */
  program: z.nullable(z.object({ id: z.string(), name: z.string() })),
  object: z.object({
    kind: openEnum(auditObjects),
    id: z.nullable(z.string()),
    /** As it was called then. */
    name: z.nullable(z.string()),
  }),
  /** The team that it concerns. */
  team_id: z.nullable(z.string()),
  changes: z.array(change),
  /** How often, where what comes again and again is one entry for each minute and network. */
  count,
  from: place,
  request_id: z.nullable(z.string()),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** Narrow what is listed or exported. */
const filters = {
  /** The id of who did it. */
  by: z.optional(text),
  object: z.optional(z.enum(auditObjects)),
  /** Takes `object`. */
  object_id: z.optional(text),
  action: z.optional(z.enum(auditActions)),
  /** Not before this time, */
  from: z.optional(time),
  /** and before this one. */
  to: z.optional(time),
};

const ofAudit = { tier: "own", capability: "audit", section: "Audit log" } as const;

/**
 * Own: what was changed, newest first, about a second after it happened. Admins of the installation see all, admins of a
 * team what concerns it, and everyone what they did themselves.
 */
export const listAudit = endpoint({
  ...ofAudit,
  name: "listAudit",
  summary: "Who changed what",
  method: "GET",
  path: "/admin/audit",
  kind: "read",
  query: z.object({ ...filters, ...page }),
  response: z.object({ entries: z.array(auditEntry), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: the same entries as JSON Lines, the newest first: each line one entry with its seal, as it lies in the chain. */
export const exportAudit = endpoint({
  ...ofAudit,
  name: "exportAudit",
  summary: "Export the audit log as JSON Lines",
  method: "GET",
  path: "/admin/audit/export",
  kind: "read",
  query: z.object(filters),
  response: "jsonl",
});
