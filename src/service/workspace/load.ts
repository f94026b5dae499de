import { sql } from "kysely";
import type { Ids } from "../context.ts";
import { createKey, ensureKey, type KeyOwner } from "../credentials/keys.ts";
import { endDocumentPrograms } from "../oauth/end-document-programs.ts";
import { applyMapping } from "../oidc/apply-grants.ts";
import { toJson } from "../store/json.ts";
import { lockKeys } from "../store/lock-keys.ts";
import type { Store, Tx } from "../store/store.ts";
import { readLoaded, recordLoad } from "./audit-load.ts";
import { loadAgents } from "./load-agents.ts";
import type { Workspace } from "./read-workspace.ts";
import { readMember, type WheelhouseFile } from "./schema.ts";

export interface LoadOptions {
  readonly store: Store;
  readonly ids: Ids;
  readonly workspace: Workspace;
  /** Where the variables of keys are looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For agents that name no model. */
  readonly defaultModel: string;
  /** Only people, teams and their keys. */
  readonly empty: boolean;
}

/** A key that was made because its variable is unset. It is shown once and kept nowhere. */
export interface MadeKey {
  readonly owner: KeyOwner;
  readonly variable: string;
  readonly secret: string;
}

export interface Loaded {
  readonly keys: readonly MadeKey[];
  /** Agents that were changed through the interface, so that a change of their file was not taken over. */
  readonly keptAgents: readonly string[];
}

/**
 * Brings the database in line with the folder, in one transaction. People, teams, members and flows become what the
 * files say; a flow whose file is gone can no longer be started, its runs stay readable; people, teams and agents whose
 * files are gone stay.
 */
export async function loadWorkspace(options: LoadOptions): Promise<Loaded> {
  return options.store.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.loading)})`.execute(tx);
    const agentIds = options.empty ? [] : options.workspace.agents.map(({ id }) => id);
    const before = await readLoaded(tx, agentIds);
    const loaded = await loadAll(tx, options);
    await recordLoad(tx, before, await readLoaded(tx, agentIds), loaded.keys);
    return loaded;
  });
}

async function loadAll(tx: Tx, { ids, workspace, ...options }: LoadOptions): Promise<Loaded> {
  await loadPeople(tx, workspace.settings.people);
  await loadTeams(tx, workspace.settings.teams);
  await applyMapping(tx, workspace.settings.sign_in ?? null);
  if (!workspace.settings.programs.metadata_documents) await endDocumentPrograms(tx);
  await loadRunningLimits(tx, workspace);
  const keys = await loadKeys(tx, ids, workspace, options.environment);
  if (options.empty) return { keys, keptAgents: [] };
  await loadFlows(tx, workspace);
  await loadSources(tx, workspace);
  return { keys, keptAgents: await loadAgents(tx, workspace.agents, options.defaultModel) };
}

/** An address is whose the file says: somebody who is gone from it, and had it before, is nobody's namesake. */
async function loadPeople(tx: Tx, people: WheelhouseFile["people"]): Promise<void> {
  const ids = people.map(({ id }) => id);
  const emails = people.map(({ email }) => email.toLowerCase());
  await sql`update users set email = former_email(id)
    where lower(email) = any(${emails}::text[]) and not id = any(${ids}::text[])`.execute(tx);
  await sql`update users set managed = '{}' where managed <> '{}' and not id = any(${ids}::text[])`.execute(
    tx,
  );
  const rows = people.map(({ id, email, first_name, last_name, plan, role }) => {
    const managed = ["email", "first_name", "last_name", "plan", ...(role === undefined ? [] : ["role"])];
    return { id, email, first_name, last_name, plan, role: role ?? "member", managed, profile_picture: null };
  });
  await tx
    .insertInto("users")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        email: row.ref("excluded.email"),
        first_name: row.ref("excluded.first_name"),
        last_name: row.ref("excluded.last_name"),
        plan: row.ref("excluded.plan"),
        // What the file does not say stays as it is.
        role: sql`case when 'role' = any(excluded.managed) then excluded.role else users.role end`,
        managed: row.ref("excluded.managed"),
        version: sql`users.version + case when
          (users.email, users.first_name, users.last_name, users.plan, users.role, users.managed) is distinct from
          (excluded.email, excluded.first_name, excluded.last_name, excluded.plan,
           case when 'role' = any(excluded.managed) then excluded.role else users.role end, excluded.managed)
          then 1 else 0 end`,
      })),
    )
    .execute();
  await makeFirstAdmin(tx, people);
}

async function loadTeams(tx: Tx, teams: WheelhouseFile["teams"]): Promise<void> {
  const teamIds = teams.map(({ id }) => id);
  await sql`update teams set managed = '{}' where managed <> '{}' and not id = any(${teamIds}::text[])`.execute(
    tx,
  );
  if (teams.length === 0) return;
  const managed = ["name", "plan", "members", "retired"];
  await tx
    .insertInto("teams")
    .values(teams.map(({ id, name, plan }) => ({ id, name, plan, managed })))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        name: row.ref("excluded.name"),
        plan: row.ref("excluded.plan"),
        managed: row.ref("excluded.managed"),
        // A team that the file names is there.
        retired_at: null,
        version: sql`teams.version + case when (teams.name, teams.plan, teams.managed, teams.retired_at)
          is distinct from (excluded.name, excluded.plan, excluded.managed, null) then 1 else 0 end`,
      })),
    )
    .execute();
  await loadMembers(tx, teams);
}

async function loadMembers(tx: Tx, teams: WheelhouseFile["teams"]): Promise<void> {
  const members = teams.flatMap(({ id, members }) => {
    const roles = new Map(members.map(readMember).map((member) => [member.id, member.role]));
    return [...roles].map(([user_id, role]) => ({ team_id: id, user_id, role }));
  });
  // What the identity provider's groups gave is looked at next; whom the file names has the file's role.
  await tx
    .deleteFrom("team_members")
    .where(
      "team_id",
      "in",
      teams.map(({ id }) => id),
    )
    .where("given_by_groups", "=", false)
    .execute();
  await tx
    .insertInto("team_members")
    .values(members)
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "user_id"])
        .doUpdateSet((row) => ({ role: row.ref("excluded.role"), given_by_groups: false })),
    )
    .execute();
}

/** Somebody has to look after all: where no active person is an admin, the first of the file whose role it does not say. */
async function makeFirstAdmin(tx: Tx, people: WheelhouseFile["people"]): Promise<void> {
  const first = people.find(({ role }) => role === undefined);
  if (first === undefined) return;
  await sql`update users set role = 'admin', version = version + 1 where id = ${first.id} and not exists (
    select from users where role = 'admin' and deactivated_at is null
       and (invited_at is null or joined_at is not null))`.execute(tx);
}

/** What the file does not limit has the engine's own limit. Every process reads them when it claims. */
async function loadRunningLimits(tx: Tx, { settings }: Workspace): Promise<void> {
  const limits = [
    ...settings.people.map(({ id, max_running }) => ({ key: `user:${id}`, running: max_running })),
    ...settings.teams.map(({ id, max_running }) => ({ key: `team:${id}`, running: max_running })),
  ].filter(({ running }) => running !== undefined);
  await sql`delete from running_limits`.execute(tx);
  await sql`
    insert into running_limits (limit_key, running)
    select key, running from json_to_recordset(${toJson(limits)}::json) as given (key text, running integer)
  `.execute(tx);
}

async function loadFlows(tx: Tx, { settings, flows }: Workspace): Promise<void> {
  const firstMember = new Map(settings.teams.map(({ id, members }) => [id, members.map(readMember)[0]?.id]));
  const rows = flows.map((flow) => ({
    id: flow.id,
    team_id: flow.team,
    user_id: flow.owner ?? firstMember.get(flow.team ?? "") ?? "",
    name: flow.name,
    description: flow.description,
    definition: toJson(flow.definition),
    removed_at: null,
  }));
  const gone = tx
    .updateTable("saved_items")
    .set({ removed_at: sql<Date>`now()` })
    .where("removed_at", "is", null);
  const ids = rows.map(({ id }) => id);
  await (ids.length === 0 ? gone : gone.where("id", "not in", ids)).execute();
  if (rows.length === 0) return;
  await tx
    .insertInto("saved_items")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((row) => ({
          team_id: row.ref("excluded.team_id"),
          user_id: row.ref("excluded.user_id"),
          name: row.ref("excluded.name"),
          description: row.ref("excluded.description"),
          definition: row.ref("excluded.definition"),
          removed_at: null,
          updated_at: sql<Date>`now()`,
        }))
        .where(
          sql<boolean>`(saved_items.team_id, saved_items.user_id, saved_items.name, saved_items.description, saved_items.definition::text, saved_items.removed_at)
            is distinct from (excluded.team_id, excluded.user_id, excluded.name, excluded.description, excluded.definition::text, excluded.removed_at)`,
        ),
    )
    .execute();
}

/**
 * Sources wait as drafts until somebody approves them (§3.3). What they cost is first guessed from their size, one credit
 * for each 4,000 bytes, and known as soon as their documents are read.
 */
async function loadSources(tx: Tx, { sources }: Workspace): Promise<void> {
  for (const { id, name, owner, team, scope, documents } of sources) {
    const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
    const values = { name, scope, team_id: team ?? null };
    const fixed = {
      estimated_credits: Math.ceil(bytes / 40) / 100,
      source_type: "direct_file_uploads",
      status: "draft",
      approved_at: null,
    } as const;
    await tx
      .insertInto("knowledge_sources")
      .values({ id, created_by_user_id: owner, ...fixed, ...values })
      // What somebody deleted stays deleted.
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet(values).where("knowledge_sources.deleted_at", "is", null),
      )
      .execute();
  }
}

/** A key of the environment is accepted as it is; where the variable is unset, one is made at the first start. */
async function loadKeys(
  tx: Tx,
  ids: Ids,
  { settings }: Workspace,
  environment: LoadOptions["environment"],
): Promise<MadeKey[]> {
  const owners = [
    ...settings.people.map(({ id, key }) => ({ owner: { kind: "person", id } as const, key })),
    ...settings.teams.map(({ id, key }) => ({ owner: { kind: "team", id } as const, key })),
  ];
  const made: MadeKey[] = [];
  for (const { owner, key } of owners) {
    if (key === undefined) continue;
    const variable = key.slice(2, -1);
    const given = environment[variable];
    if (given !== undefined && given !== "") await ensureKey(tx, ids, owner, variable, given);
    else if (!(await hasKey(tx, owner, variable))) {
      made.push({ owner, variable, secret: (await createKey(tx, ids, owner, variable)).secret });
    }
  }
  return made;
}

/** Also one that was revoked: it was taken away on purpose. */
async function hasKey(tx: Tx, owner: KeyOwner, name: string) {
  const found = await tx
    .selectFrom("credentials")
    .select("id")
    .where(owner.kind === "person" ? "user_id" : "team_id", "=", owner.id)
    .where("name", "=", name)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
