import { type Kysely, sql } from "kysely";
import type { Caller } from "../areas/handler.ts";
import { type JsonValue, storableText, toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import {
  type AuditEvent,
  type AuditedRequest,
  byCaller,
  byCommand,
  byProgram,
  byService,
  bySession,
  entryOf,
  type From,
  fromHere,
  fromRequest,
  type StoredEntry,
  writtenEntry,
} from "./entry.ts";

/** How many entries a handler has written. Only this file makes one, so whoever has one has recorded what they did. */
class Proof {
  readonly #entries: number;

  constructor(entries: number) {
    this.#entries = entries;
  }

  get entries(): number {
    return this.#entries;
  }
}
/** What the handler of a write has to give back with its answer: without it, it does not compile. */
export type Recorded = Proof;

/** Writes an entry in the transaction of the change: they are both there or neither is. */
export async function record(tx: Tx, request: AuditedRequest, event: AuditEvent): Promise<Recorded> {
  await write(tx, [entryOf(byCaller(request.caller), fromRequest(request), event)]);
  return new Proof(1);
}

/** For a request that found everything as it wanted it, such as a repeated one: there is no change to record. */
export function nothingChanged(): Recorded {
  return new Proof(0);
}

/**
 * For starts that share a statement: the entry as a row of that very statement, which costs no round trip, and the proof.
 * What cannot be written is started neither.
 */
export function recordedWith(request: AuditedRequest, event: AuditEvent) {
  const entry = entryOf(byCaller(request.caller), fromRequest(request), event);
  return { rows: { write: entryRows, row: writtenEntry(entry) }, recorded: new Proof(1) };
}

function entryRows(rows: readonly JsonValue[]) {
  return sql`recorded as (
      insert into audit_pending (entry) select value from json_array_elements(${toJson(rows)}::json)
    )`;
}

/**
 * A sign-in, however somebody proved who they are, in the transaction that makes the session.
 * @param name how they signed in, as `sign-in link`
 */
export async function recordSignIn(
  tx: Tx,
  request: AuditedRequest,
  { userId, sessionId, name }: { readonly userId: string; readonly sessionId: string; readonly name: string },
): Promise<Recorded> {
  const event: AuditEvent = { action: "session.create", object: { kind: "session", id: sessionId, name } };
  await write(tx, [entryOf(bySession(userId, sessionId), fromRequest(request), event)]);
  return new Proof(1);
}

/**
 * What a program does at the token endpoint, where nobody is signed in: by it, for the person whose connection it is about.
 * @param name of the program that sent the request
 */
export async function recordProgram(
  tx: Tx,
  request: AuditedRequest,
  { userId, name }: { readonly userId: string; readonly name: string },
  event: AuditEvent,
): Promise<void> {
  await write(tx, [entryOf(byProgram(userId, name), fromRequest(request), event)]);
}

/** A file that somebody else made and that is read by a signed link: for whom it was signed, and from where it was read. */
export async function recordDownload(
  db: Kysely<Database>,
  caller: Caller,
  from: From,
  event: AuditEvent,
): Promise<void> {
  await write(db, [entryOf(byCaller(caller), from, event)]);
}

/** A sign-in to an MCP server that has come back, by the person who began it; null: a team's key did. */
export async function recordMcpConnect(
  tx: Tx,
  startedBy: string | null,
  about: Pick<AuditEvent, "object" | "teamId">,
): Promise<void> {
  const by = { ...byCaller(null), by: startedBy === null ? "team" : "person", user_id: startedBy } as const;
  await write(tx, [entryOf(by, fromHere, { action: "mcp.connect", ...about })]);
}

/** What a command does, by whoever runs it; in its transaction where `db` is one. */
export async function recordCommand(db: Kysely<Database>, event: AuditEvent): Promise<void> {
  await write(db, [entryOf(byCommand(), fromHere, event)]);
}

/** The same as the text of an entry, for commands that write to a database by themselves. */
export function commandEntry(event: AuditEvent): string {
  return toJson(writtenEntry(entryOf(byCommand(), fromHere, event)));
}

/** What the service does by itself, as loading the workspace. */
export async function recordService(db: Kysely<Database>, events: readonly AuditEvent[]): Promise<void> {
  if (events.length > 0)
    await write(
      db,
      events.map((event) => entryOf(byService, fromHere, event)),
    );
}

/** Different networks and objects that are told apart within a minute; all others are one. */
const mostCounted = 20;

/**
 * What strangers can do again and again, such as refused sign-ins: one entry for each minute and network when the minute is
 * over, and of twenty networks at most, so that nobody can fill the disk with it.
 * @param network of `networkOf`
 */
export async function recordCounted(
  db: Kysely<Database>,
  request: AuditedRequest,
  network: string,
  event: AuditEvent,
): Promise<void> {
  await count(db, entryOf(byCaller(request.caller), fromRequest(request), event), network, 1);
}

/**
 * The same of secrets that were wrong, whoever sent them.
 * @param times how many there were since the last time
 */
export async function recordGuesses(
  db: Kysely<Database>,
  from: From,
  network: string,
  event: AuditEvent,
  times: number,
): Promise<void> {
  await count(db, entryOf(byCaller(null), from, event), network, times);
}

async function count(
  db: Kysely<Database>,
  entry: StoredEntry,
  network: string,
  times: number,
): Promise<void> {
  const { action, object_kind: kind, object_id: objectId } = entry;
  const others = entryOf(byCaller(null), fromHere, {
    action,
    object: { kind, id: null },
  });
  await sql`
    with place as (
      select date_trunc('minute', now()) as minute,
             (select count(*) from audit_counts where minute = date_trunc('minute', now())) >= ${sql.lit(mostCounted)}
               and not exists (
                 select from audit_counts where minute = date_trunc('minute', now()) and action = ${action}
                    and network = ${network} and object_id = ${storableText(objectId ?? "")}) as is_full
    )
    insert into audit_counts (minute, action, network, object_id, entry, count)
    select minute, ${action}, case when is_full then '' else ${network} end,
           case when is_full then '' else ${storableText(objectId ?? "")} end,
           case when is_full then ${toJson(writtenEntry(others))}::json else ${toJson(writtenEntry(entry))}::json end,
           ${times}::integer
      from place
    on conflict (minute, action, network, object_id) do update set count = audit_counts.count + excluded.count`.execute(
    db,
  );
}

async function write(db: Kysely<Database>, entries: readonly StoredEntry[]): Promise<void> {
  await db
    .insertInto("audit_pending")
    .values(entries.map((entry) => ({ entry: toJson(writtenEntry(entry)) })))
    .execute();
}
