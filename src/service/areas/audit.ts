import { Readable } from "node:stream";
import { type RawBuilder, sql } from "kysely";
import type { AuditEntry } from "../../contract/audit.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { ownAgentId } from "../agents/agent-rows.ts";
import { loadPeople, type PersonRow } from "../agents/agent-view.ts";
import { readEntry } from "../audit/entry.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { isInstallationAdmin, managedTeamsOf, requirePerson } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import { onePlan } from "../store/prepared.ts";
import type { Handlers, Request } from "./handler.ts";
import { cutPage, keyTime, type PageCursor, readCursor, timeKey, timeKeyForm } from "./page.ts";
import { teamsById } from "./teams.ts";
import { exactTimeOf } from "./times.ts";

type Audit = Pick<Handlers<typeof endpoints>, "listAudit" | "exportAudit">;
type Filters = Request<typeof endpoints.exportAudit>["query"];
type Condition = RawBuilder<unknown>;
type Person = ReturnType<typeof requirePerson>;

interface Row {
  readonly id: string;
  readonly key: string;
  readonly at: Date;
  readonly sealed_at: string;
  readonly text: string;
  readonly key_id: string;
  readonly seal: Buffer;
}

/**
 * Which entries a person may see: an admin of the installation all; everyone their own and, as an admin of teams, what concerns
 * those. An index has the rows of each in order.
 */
function branchesFor(person: Person): readonly Condition[] {
  if (isInstallationAdmin(person)) return [sql`true`];
  const managed = managedTeamsOf(person);
  return [sql`user_id = ${person.userId}`, ...managed.map((team) => sql`team_id = ${team}`)];
}

/** @throws ServiceError `invalid_parameter` for an object's id without its kind */
async function conditionsOf(
  { store }: Context,
  person: Person,
  { by, object, object_id, action, from, to }: Filters,
): Promise<Condition[]> {
  if (object_id !== undefined && object === undefined) {
    const message = "object_id takes object: say of which kind it is.";
    throw new ServiceError("invalid_parameter", { message, param: "object_id" });
  }
  const id =
    object_id === undefined || object !== "agent"
      ? object_id
      : await ownAgentId(store.db, person.userId, object_id);
  return [
    ...(by === undefined ? [] : [sql`user_id = ${storableText(by)}`]),
    ...(object === undefined ? [] : [sql`object_kind = ${object}`]),
    ...(id === undefined ? [] : [sql`object_id = ${storableText(id)}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(from === undefined ? [] : [sql`at >= ${exactTimeOf(from)}`]),
    ...(to === undefined ? [] : [sql`at < ${exactTimeOf(to)}`]),
  ];
}

/** So many entries, the newest first. */
async function readEntries(
  { store }: Context,
  branches: readonly Condition[],
  conditions: readonly Condition[],
  after: PageCursor | null,
  count: number,
): Promise<readonly Row[]> {
  const further = after === null ? [] : [sql`(at, position) < (${keyTime(after.key)}, ${after.id}::bigint)`];
  const order = sql`order by at desc, position desc limit ${sql.lit(count)}`;
  const scans = branches.map((branch) => {
    const all = sql.join([branch, ...conditions, ...further], sql` and `);
    return sql`(select position, at from audit_log where ${all} ${order})`;
  });
  const found =
    scans.length === 1
      ? scans[0]
      : sql`(select distinct on (at, position) position, at from (${sql.join(scans, sql` union all `)}) branch ${order})`;
  const { rows } = await sql<Row>`
    select entry.position::text as id, ${timeKey("entry.at")} as key, entry.at,
           to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as sealed_at,
           entry.entry::text as text, entry.key_id, entry.seal
      from ${found} listed join audit_log entry on entry.position = listed.position
     order by entry.at desc, entry.position desc ${onePlan}`.execute(store.db);
  return rows;
}

const listName = "audit";

/** Own. */
const listAudit: Audit["listAudit"] = async (context, { caller, query }) => {
  const person = requirePerson(caller);
  const { page_size: size = 20, cursor, ...filters } = query;
  const conditions = await conditionsOf(context, person, filters);
  const after = cursor === undefined ? null : readCursor(listName, cursor, timeKeyForm);
  if (after !== null && !/^\d{1,18}$/.test(after.id))
    throw new ServiceError("invalid_cursor", { param: "cursor" });
  const found = await readEntries(context, branchesFor(person), conditions, after, size + 1);
  const page = cutPage(found, size, listName, ({ key, id }) => ({ key, id }));
  return {
    type: "body",
    body: { entries: await showEntries(context, page.rows), next_cursor: page.next_cursor },
  };
};

async function showEntries(context: Context, rows: readonly Row[]): Promise<AuditEntry[]> {
  const entries = rows.map((row) => ({ row, entry: readEntry(row.text) }));
  const people = await loadPeople(
    context.store.db,
    entries.flatMap(({ entry }) => [entry.user_id, entry.for_user_id]),
  );
  const teamIds = entries.flatMap(({ entry }) => (entry.by_team_id === null ? [] : [entry.by_team_id]));
  const teams = new Map((await teamsById(context, [...new Set(teamIds)])).map((team) => [team.id, team]));
  return entries.map(({ row, entry }) => ({
    id: row.id,
    at: row.at.toISOString(),
    action: entry.action,
    by: {
      kind: entry.by,
      user: personOf(people, entry.user_id),
      team:
        entry.by_team_id === null
          ? null
          : (teams.get(entry.by_team_id) ?? { id: entry.by_team_id, name: entry.by_team_id }),
      name: entry.by_name,
    },
    for_user: personOf(people, entry.for_user_id),
    credential:
      entry.credential_id === null || entry.credential_kind === null
        ? null
        : { id: entry.credential_id, kind: entry.credential_kind },
    program: entry.program ?? null,
    object: { kind: entry.object_kind, id: entry.object_id, name: entry.object_name },
    team_id: entry.team_id,
    changes: entry.changes.map((change) => ({ ...change })),
    count: entry.count,
    from: { address: entry.address, user_agent: entry.user_agent },
    request_id: entry.request_id,
  }));
}

function personOf(people: ReadonlyMap<string, PersonRow>, id: string | null): AuditEntry["for_user"] {
  if (id === null) return null;
  const { first_name = null, last_name = null, email = null } = people.get(id) ?? {};
  return { id, first_name, last_name, email };
}

/** Own: read in pages, so that it takes the same memory however long it is. */
const exportAudit: Audit["exportAudit"] = async (context, request) => {
  const { caller, query, signal } = request;
  const person = requirePerson(caller);
  const conditions = await conditionsOf(context, person, query);
  const branches = branchesFor(person);
  await context.store.db
    .transaction()
    .execute((tx) =>
      record(tx, request, { action: "audit.export", object: { kind: "installation", id: null } }),
    );
  async function* lines() {
    for (let after: PageCursor | null = null; !signal.aborted; ) {
      const rows = await readEntries(context, branches, conditions, after, exportedAtOnce);
      if (rows.length > 0) yield rows.map(lineOf).join("");
      const last = rows.at(-1);
      if (last === undefined || rows.length < exportedAtOnce) return;
      after = { key: last.key, id: last.id };
    }
  }
  return {
    type: "stream",
    stream: Readable.from(lines(), { highWaterMark: 1 }),
    mediaType: "application/x-ndjson",
    filename: "audit-log.jsonl",
  };
};

const exportedAtOnce = 500;

/** The entry's text goes out as it was sealed. */
function lineOf({ id, sealed_at, text, key_id, seal }: Row): string {
  return `{"position":${id},"at":"${sealed_at}","entry":${text},"key_id":"${key_id}","seal":"${seal.toString("hex")}"}\n`;
}

export const auditHandlers: Audit = { listAudit, exportAudit };
