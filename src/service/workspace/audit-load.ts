import { type RawBuilder, sql } from "kysely";
import { shownChange } from "../audit/changes.ts";
import { recordService } from "../audit/record.ts";
import type { Tx } from "../store/store.ts";

/** What a load may change, by kind and id: a digest of each row's fields. */
export type LoadedRows = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Fields of each kind that a load writes; nothing of them leaves the database but a digest. */
const kinds: Readonly<Record<string, RawBuilder<unknown>>> = {
  people: sql`select id, md5(row(email, first_name, last_name, plan, role, managed)::text) as digest from users`,
  teams: sql`select id, md5(row(name, plan, managed, retired_at)::text) as digest from teams`,
  members: sql`select team_id || ' ' || user_id as id, role as digest from team_members`,
  limits: sql`select limit_key as id, running::text as digest from running_limits`,
  flows: sql`select id, md5(row(team_id, user_id, name, description, definition::text, removed_at is null)::text) as digest
    from saved_items`,
  knowledge_sources: sql`select id, md5(row(name, scope, team_id)::text) as digest from knowledge_sources`,
};

const agents = (ids: readonly string[]) =>
  sql`select id, md5(row(version, is_active)::text) as digest from agents where id = any(${ids}::text[])`;

/**
 * Everything that a load may change, as it is now.
 * @param agentIds those that the folder has
 */
export async function readLoaded(tx: Tx, agentIds: readonly string[]): Promise<LoadedRows> {
  const parts = Object.entries({ ...kinds, agents: agents(agentIds) });
  const all = parts.map(([kind, rows]) => sql`select ${kind}::text as kind, id, digest from (${rows}) part`);
  const { rows } = await sql<{ kind: string; id: string; digest: string }>`
    ${sql.join(all, sql` union all `)}`.execute(tx);
  const loaded = new Map<string, Map<string, string>>(parts.map(([kind]) => [kind, new Map()]));
  for (const { kind, id, digest } of rows) loaded.get(kind)?.set(id, digest);
  return loaded;
}

/** Ids of one kind in one entry. */
const mostNamed = 20;

/** Which rows a load made, changed or took away, as one entry of the audit log; none where it changed nothing. */
export async function recordLoad(
  tx: Tx,
  before: LoadedRows,
  after: LoadedRows,
  madeKeys: readonly { readonly variable: string }[],
): Promise<void> {
  const changes = [...after].flatMap(([kind, rows]) => {
    const had = before.get(kind) ?? new Map<string, string>();
    const ids = [...new Set([...had.keys(), ...rows.keys()])].filter((id) => had.get(id) !== rows.get(id));
    const named = ids.slice(0, mostNamed).map((id) => {
      const what = !had.has(id) ? "added" : rows.has(id) ? "changed" : "removed";
      return shownChange(`${kind} ${id}`, null, what);
    });
    const more = ids.length - named.length;
    return more > 0 ? [...named, shownChange(`${kind}, and more`, null, more)] : named;
  });
  const keys = madeKeys.map(({ variable }) => shownChange(`key ${variable}`, null, "made"));
  const all = [...changes, ...keys];
  if (all.length === 0) return;
  await recordService(tx, [
    { action: "workspace.load", object: { kind: "installation", id: null }, changes: all },
  ]);
}
