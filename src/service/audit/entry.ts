import { hostname, userInfo } from "node:os";
import type { AuditAction, AuditObject } from "../../contract/audit.ts";
import type { ActingProgram, Caller } from "../areas/handler.ts";
import { shortAgent } from "../credentials/authenticate.ts";
import type { JsonValue } from "../store/json.ts";
import type { Change } from "./changes.ts";

/** What a request says of who asks and from where; a handler hands its own on. */
export interface AuditedRequest {
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The socket's own. */
  readonly remoteAddress: string;
}

/** Something that was done. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly object: {
    readonly kind: AuditObject;
    readonly id: string | null;
    /** As it is called now. */
    readonly name?: string | null;
  };
  /** The team that it concerns, whose admins see it. */
  readonly teamId?: string | null;
  /** The person for whom a team's key acts. */
  readonly forUserId?: string | null;
  readonly changes?: readonly Change[];
}

/** An entry as it is stored. Its text is sealed, so a field may be added, and none may change what it means. */
export interface StoredEntry {
  readonly action: AuditAction;
  readonly by: "person" | "team" | "program" | "command" | "service" | "unknown";
  readonly user_id: string | null;
  /** Of a team's key. */
  readonly by_team_id: string | null;
  /** Of a command or a program. */
  readonly by_name: string | null;
  readonly for_user_id: string | null;
  readonly credential_id: string | null;
  readonly credential_kind: Caller["kind"] | null;
  /** The program that did it for the person, with a token of theirs; absent: they did it themselves. */
  readonly program?: ActingProgram;
  readonly object_kind: AuditObject;
  readonly object_id: string | null;
  readonly object_name: string | null;
  readonly team_id: string | null;
  readonly changes: readonly Change[];
  readonly count: number;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
}

type By = Pick<
  StoredEntry,
  "by" | "user_id" | "by_team_id" | "by_name" | "credential_id" | "credential_kind" | "program"
>;
/** From where something was done. */
export type From = Pick<StoredEntry, "address" | "user_agent" | "request_id">;

const nobody: By = {
  by: "unknown",
  user_id: null,
  by_team_id: null,
  by_name: null,
  credential_id: null,
  credential_kind: null,
};

/** Who a request's caller is; of a sign-in, who it made of them. */
export function byCaller(caller: Caller | null): By {
  if (caller === null) return nobody;
  const { kind, credentialId } = caller;
  const credential = { credential_id: credentialId, credential_kind: kind };
  return kind === "team"
    ? { ...nobody, by: "team", by_team_id: caller.teamId, ...credential }
    : {
        ...{ ...nobody, by: "person", user_id: caller.userId, ...credential },
        ...(caller.program !== undefined && { program: caller.program }),
      };
}

/**
 * A program that proved itself at the token endpoint, where it shows no access token: for the person whose connection it is
 * about, who sees it among their own.
 */
export function byProgram(userId: string, name: string): By {
  return { ...nobody, by: "program", user_id: userId, by_name: shortName(name) };
}

/** A person who has just signed in, by the session that was made. */
export function bySession(userId: string, credentialId: string): By {
  return {
    ...nobody,
    by: "person",
    user_id: userId,
    credential_id: credentialId,
    credential_kind: "token",
  };
}

/** Whoever runs a command on this machine, as the machine names them. */
export function byCommand(): By {
  return { ...nobody, by: "command", by_name: `${systemUser()}@${hostname()}` };
}

export const byService: By = { ...nobody, by: "service" };

/** A user id without a name, as in a container, has none. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** From where a request came. */
export function fromRequest({ remoteAddress, headers, requestId }: AuditedRequest): From {
  return { address: remoteAddress, user_agent: shortAgent(headers.get("user-agent")), request_id: requestId };
}

export const fromHere: From = { address: null, user_agent: null, request_id: null };

/** What an entry does not say. */
const silent: Omit<StoredEntry, "action" | "by" | "object_kind" | "program"> = {
  ...{ ...nobody, ...fromHere, for_user_id: null, object_id: null, object_name: null },
  ...{ team_id: null, changes: [], count: 1 },
};

/**
 * Reads the text of an entry that this service has written; its seal says whether anybody has changed it since. What one does
 * not say, of an older release or as `writtenEntry` leaves it out, is null.
 */
export function readEntry(text: string): StoredEntry {
  const written: Pick<StoredEntry, "action" | "by" | "object_kind"> & Partial<StoredEntry> = JSON.parse(text);
  return { ...silent, ...written };
}

/** An entry as it is written: without what `readEntry` takes for granted, as each start of a run leaves one for years. */
export function writtenEntry({ program, changes, count, ...entry }: StoredEntry): JsonValue {
  const said = Object.entries(entry).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(said),
    ...(program !== undefined && { program: { ...program } }),
    ...(changes.length > 0 && { changes: changes.map((change) => ({ ...change })) }),
    ...(count !== 1 && { count }),
  };
}

/** Names are shortened: an entry has a bound. */
const mostOfName = 200;
const shortName = (name: string) => [...name.slice(0, 2 * mostOfName)].slice(0, mostOfName).join("");

/** One entry, ready to be stored. */
export function entryOf(by: By, from: From, event: AuditEvent): StoredEntry {
  const { action, object, teamId = null, forUserId = null, changes = [] } = event;
  return {
    action,
    ...by,
    for_user_id: by.by === "team" ? forUserId : null,
    object_kind: object.kind,
    object_id: object.id,
    object_name: object.name == null ? null : shortName(object.name),
    team_id: teamId ?? by.by_team_id,
    changes,
    count: 1,
    ...from,
  };
}
