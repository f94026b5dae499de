import { type Kysely, sql } from "kysely";
import type { Database } from "../service/store/schema.ts";
import { seedTexts, textTables } from "./history-texts.ts";

/** How much there is. */
export interface HistorySize {
  readonly runs: number;
  readonly conversations: number;
  readonly artifacts: number;
  /** Whether there are logs, calls of tools and texts of answers as well; without them only what lists show. */
  readonly texts?: boolean;
  /**
   * Half of it is the first person's in the largest team, half the last one's in the smallest; and a page of two hundred rows
   * with `needle` or `thimble` is as full as one of a history of a million runs.
   */
  readonly halves?: boolean;
}

/**
 * Whom a seeded history knows: fifty people in ten teams, each team with half as much as the one before. The first person
 * is in all of them and has most; the last is in the smallest and has little, spread over all of the time.
 */
export const historians = {
  much: "user_h1",
  little: "user_h50",
  /** The largest team, and the smallest, which owns the agents and flows that all of them used. */
  team: "team_h1",
  smallTeam: "team_h10",
  agent: "agent_h1",
  rubric: "rub_h1",
  flow: "flow_h1",
} as const;

/** The tables that grow with history. */
export const bigTables = [
  "executions",
  "interactions",
  "messages",
  "approvals",
  "approval_people",
  "knowledge_sources",
  "evaluation_results",
  "artifacts",
  "artifact_versions",
  "artifact_audience",
] as const;

/**
 * Fills a database with the ended history of a busy year, the same each time. A word of an input, a name, a message and a
 * file: `report` stands in most, `needle` in one of fifty, `thimble` in one of ten thousand, `haystack` in none.
 */
export async function seedHistory(db: Kysely<Database>, size: HistorySize): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await seedPeople(tx);
    const indexes = await takeIndexes(tx);
    const filled = [...bigTables, ...textTables];
    for (const table of filled) await sql`alter table ${sql.table(table)} disable trigger all`.execute(tx);
    await seedRuns(tx, size);
    await seedConversations(tx, size);
    await seedQuestions(tx);
    await seedSources(tx, size);
    await seedFiles(tx, size);
    if (size.texts) await seedTexts(tx);
    for (const table of filled) await sql`alter table ${sql.table(table)} enable trigger all`.execute(tx);
    await sql`set local maintenance_work_mem = '512MB'`.execute(tx);
    for (const index of indexes) await sql.raw(index).execute(tx);
  });
  await sql`vacuum analyze`.execute(db);
}

/** Drops the indexes that are no constraints. @returns what makes them again */
async function takeIndexes(tx: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any(${[...bigTables]}::regclass[]) and not indisunique`.execute(tx);
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(tx);
  return rows.map(({ definition }) => definition);
}

async function seedPeople(tx: Kysely<Database>): Promise<void> {
  await sql`insert into users (id, email, first_name, last_name, plan)
    select 'user_h' || n, 'h' || n || '@history.example', 'Person', n::text, 'pro' from generate_series(1, 50) n`.execute(
    tx,
  );
  await sql`insert into teams (id, name, plan) select 'team_h' || n, 'Team ' || n, 'pro' from generate_series(1, 10) n`.execute(
    tx,
  );
  await sql`insert into team_members (team_id, user_id)
    select 'team_h' || team, 'user_h' || n from generate_series(1, 50) n, generate_series(1, 10) team
     where n = 1 or (n = 50 and team = 10) or (n between 2 and 49 and n % 10 + 1 = team)`.execute(tx);
  await sql`insert into agents (id, owner_id, team_id, name, model_name)
    select 'agent_h' || n, 'user_h1', 'team_h10', 'Agent ' || n, 'builtin/offline' from generate_series(1, 3) n`.execute(
    tx,
  );
  await sql`insert into saved_items (id, user_id, team_id, name, definition)
    select 'flow_h' || n, 'user_h1', 'team_h10', 'Flow ' || n, '{"nodes":[]}' from generate_series(1, 20) n`.execute(
    tx,
  );
  await sql`insert into evaluations (id, owner_id, team_id, name)
    values ('rub_h1', 'user_h1', 'team_h10', 'Polite')`.execute(tx);
}

/**
 * Rows from 1, the newest, with whose each is: `u` the person, `t` the team of a third of them. Most is the first person's;
 * the last has one of each `count / 60`.
 * @param perThimble with halves: in how many rows `thimble` stands once
 */
const owned = (count: number, { halves = false }: HistorySize, perThimble: number) => sql`
  select n, now() - n * (interval '300 days' / ${count}::float8) - interval '1 minute' as at,
         case when ${halves}::boolean then case when hashint4(n) % 2 = 0 then 'user_h1' else 'user_h50' end
              when n % greatest(1, ${count} / 60) = 3 then 'user_h50'
              else 'user_h' || 1 + floor(49 * pow(a, 4))::int end as u,
         case when ${halves}::boolean then case when hashint4(n) % 2 = 0 then 'team_h1' else 'team_h10' end
              when n % 3 = 0 then 'team_h' || least(10, 1 + floor(-log(2, greatest(b, 0.000001)::numeric))::int) end as t,
         case when n % ${halves ? perThimble : 10_000}::int = ${halves ? 1 : 17}::int then 'thimble '
              when n % ${halves ? 2 : 50}::int = ${halves ? 0 : 31}::int then 'needle ' else '' end || 'report ' || n as word
    from generate_series(1, ${count}::int) n
   cross join lateral (select (hashint4(n)::bigint + 2147483648) / 4294967296.0 as a,
                              (hashint4(-n)::bigint + 2147483648) / 4294967296.0 as b) chance`;

async function seedRuns(tx: Kysely<Database>, size: HistorySize): Promise<void> {
  await sql`insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, result, error,
                                    log_count, created_at, started_at, finished_at)
    select id, 'pipeline', id, 0, 'flow_h' || 1 + n % 20, u, t, state,
           json_build_object('name', 'Flow ' || 1 + n % 20, 'inputs', json_build_object('customer', word, 'month', n % 12)),
           case when state = 'done' then '{}'::json end, case when state = 'failed' then 'It broke.' end,
           3, at, at, at + interval '1 second'
      from (select *, 'run_' || left(md5('r' || n), 22) as id,
                   case when n % 20 = 7 then 'failed' when n % 50 = 9 then 'terminated' else 'done' end as state
              from (${owned(size.runs, size, 4)}) owned) run`.execute(tx);
}

async function seedConversations(tx: Kysely<Database>, size: HistorySize): Promise<void> {
  await sql`create temporary table talk on commit drop as
    select *, 'int_' || left(md5('i' || n), 22) as id, 'turn_' || left(md5('t' || n), 22) as turn_id,
           'agent_h' || case when n % 5 = 0 then 2 else 1 end as agent,
           case when n % 20 = 7 then 'failed' when n % 50 = 9 then 'terminated' else 'done' end as state
      from (${owned(size.conversations, size, 8)}) owned`.execute(tx);
  await sql`insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, error,
                                    created_at, started_at, finished_at)
    select turn_id, 'turn', turn_id, 0, id, u, t, state, '{"messageSeq": 1}',
           case when state = 'failed' then 'It broke.' end, at, at, at from talk`.execute(tx);
  await sql`insert into interactions (id, agent_id, user_id, team_id, type, state, name, execution_id, error, created_at)
    select id, agent, u, t, case when n % 10 = 3 then 'console' else 'api' end,
           case when state = 'done' then 'completed' else 'failed' end, 'About ' || word, turn_id,
           case when state <> 'done' then 'It broke.' end, at from talk`.execute(tx);
  await sql`insert into messages (interaction_id, seq, id, role, content, created_at)
    select id, seq, 'msg_' || left(md5('m' || n || '.' || seq), 22), case when seq = 1 then 'user' else 'assistant' end,
           case when seq = 1 then 'What is in the ' else 'This is in the ' end || word, at
      from talk, generate_series(1, 2) seq`.execute(tx);
  await sql`insert into evaluation_results (id, evaluation_id, agent_id, interaction_id, user_id, team_id, grade, tags, turn,
                                            created_at)
    select 'eval_' || left(md5('e' || n), 22), case when n % 2 = 0 then 'rub_h1' end, agent, id, u, t,
           case when n % 20 = 7 then 'needs_attention' else 'pass' end,
           case when n % 50 = 31 then '["slow"]'::jsonb else '[]' end, 1, at from talk`.execute(tx);
}

/** What every fourth conversation asked; of one in ten of those it waits still. */
async function seedQuestions(tx: Kysely<Database>): Promise<void> {
  await sql`insert into approvals (id, state, execution_id, step_key, interaction_id, message_seq, part_id, agent_id, user_id,
                                   team_id, tool_call_id, definition, definition_hash, arguments, who, people, asked_at,
                                   lapses_at, ended_at, answer, answered_at, answered_by, tokens)
    select 'ask_' || left(md5('q' || n), 22), case when waits then 'waiting' else 'approved' end, turn_id, 'ask 1', id, 2,
           'part', agent, u, t, 'write_file', '{"name":"write_file","description":"","parameters":{},"server":null}',
           'hash', '{}', case when n % 12 = 4 then 'people' when t is null then 'person' else 'operators' end,
           case when n % 12 = 4 then array['user_h1', 'user_h50'] else array[]::text[] end, at,
           now() + interval '7 days', case when not waits then at end, case when not waits then 'approve' end,
           case when not waits then at end, case when not waits then u end, n * 37 % 5000
      from talk cross join lateral (select n % 40 = 8 as waits) asked where n % 4 = 0`.execute(tx);
  await sql`insert into approval_people (approval_id, user_id, asked_at, ended_at, tokens)
    select id, person, asked_at, ended_at, tokens from approvals, unnest(people) person`.execute(tx);
}

/** Knowledge sources of the same people; one of a hundred waits for an approval, and one of twenty is everybody's. */
async function seedSources(tx: Kysely<Database>, size: HistorySize): Promise<void> {
  await sql`insert into knowledge_sources (id, name, source_type, status, scope, team_id, created_by_user_id, estimated_credits,
                                           created_at, approved_at, approved_by)
    select 'source_' || left(md5('s' || n), 22), 'About ' || word, 'direct_file_uploads',
           case when n % 100 = 8 then 'draft' else 'active' end,
           case when n % 20 = 4 then 'organization' when t is null then 'personal' else 'team' end,
           case when n % 20 <> 4 then t end, u, n % 50, at, case when n % 100 <> 8 then at end,
           case when n % 100 <> 8 then u end
      from (${owned(Math.ceil(size.conversations / 4), size, 8)}) owned`.execute(tx);
}

async function seedFiles(tx: Kysely<Database>, size: HistorySize): Promise<void> {
  const { artifacts, conversations } = size;
  await sql`insert into artifacts (id, agent_id, interaction_id, user_id, team_id, filename, version_id, major_version,
                                   created_at, link_mode, link_role, link_id, link_by)
    select 'art_' || left(md5('a' || file.n), 22), talk.agent, talk.id, talk.u, talk.t, file.word || '.md',
           'ver_' || left(md5('v' || file.n), 22), 1, file.at, case when is_open then 'anyone' else 'none' end,
           case when is_open then 'viewer' end, case when is_open then 'link_' || file.n end,
           case when is_open then talk.u end
      from (${owned(artifacts, size, 20)}) file
      join talk on talk.n = 1 + file.n % least(${artifacts}::int, ${conversations}::int)
     cross join lateral (select file.n % 50 = 7 as is_open) link`.execute(tx);
  await sql`insert into artifact_versions (id, artifact_id, major_version, file_id, media_type, size, created_at)
    select version_id, id, 1, 'file_' || id, 'text/markdown', 1000, created_at from artifacts
     where id in (select 'art_' || left(md5('a' || n), 22) from generate_series(1, ${artifacts}::int) n)`.execute(
    tx,
  );
  await sql`insert into artifact_audience select listed.* from artifacts, artifact_audience_of(artifacts.id) listed
     where artifacts.version_id like 'ver_%' on conflict do nothing`.execute(tx);
}
