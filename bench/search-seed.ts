import { sql } from "kysely";
import type { Store } from "../src/service/store/store.ts";

/** How many of each. */
export interface History {
  readonly runs: number;
  readonly conversations: number;
  readonly artifacts: number;
}

/** Fifty people, `user_1` with most and `user_50` with one run in ten thousand; ten teams, `team_1` the largest. */
export const people = 50;
const teams = 10;
const chunk = 50_000;

/** What runs and people say, in words as languages have them: some everywhere, most now and then. */
const functions = `
create or replace function bench_word() returns text language sql volatile as $$
  select (array['har','bor','quay','lan','ter','mol','sten','vik','ar','ond','el','pra','tis','go','mer'])[1 + (random()^2 * 14)::int]
      || (array['ing','ed','er','al','ton','dam','sel','port','ra','no','kel','um','is','eth','ow'])[1 + (random() * 14)::int]
      || (array['','','','s','ly','ment','ness','ways'])[1 + (random() * 7)::int]
$$;
create or replace function bench_words(p_count int) returns text language sql volatile as $$
  select string_agg(case when n % 5 = 0 then 'the' else bench_word() end, ' ') from generate_series(1, p_count) n
$$;
create or replace function bench_owner(p_n int) returns int language sql volatile as $$
  select case when p_n % 10000 = 0 then ${people} else 1 + (${people - 1} * random()^3)::int end
$$`;

/** Fills an empty database with a history that has ended. It is not indexed for the search. */
export async function seedHistory({ db }: Store, { runs, conversations, artifacts }: History): Promise<void> {
  for (const statement of functions.split(";\n")) await sql.raw(statement).execute(db);
  await sql`select setseed(0.42)`.execute(db);
  await seedOwners({ db });
  for (let from = 1; from <= runs; from += chunk) {
    await seedRuns({ db }, from, Math.min(runs, from + chunk - 1), runs);
  }
  for (let from = 1; from <= conversations; from += chunk) {
    await seedConversations({ db }, from, Math.min(conversations, from + chunk - 1), conversations);
  }
  await seedArtifacts({ db }, artifacts, conversations);
  for (const name of ["bench_owner(int)", "bench_words(int)", "bench_word()"]) {
    await sql.raw(`drop function ${name}`).execute(db);
  }
  await sql`vacuum analyze`.execute(db);
}

type Db = Pick<Store, "db">;

async function seedOwners({ db }: Db): Promise<void> {
  await sql`insert into users (id, email, first_name, last_name, plan)
    select 'user_' || n, 'user_' || n || '@example.com', 'Person', n::text, 'pro' from generate_series(1, ${people}) n`.execute(
    db,
  );
  await sql`insert into teams (id, name, plan) select 'team_' || n, 'Team ' || n, 'pro'
    from generate_series(1, ${teams}) n`.execute(db);
  await sql`insert into team_members (team_id, user_id)
    select 'team_' || 1 + n % ${teams}, 'user_' || n from generate_series(1, ${people - 1}) n`.execute(db);
  await sql`insert into agents (id, owner_id, name, model_name)
    values ('agent_bench', 'user_1', 'Harbour clerk', 'builtin/offline')`.execute(db);
}

/** One in five for a team; one in a hundred thousand speaks of a needle. */
async function seedRuns({ db }: Db, from: number, to: number, all: number): Promise<void> {
  await sql`
    with made as (
      select n, bench_owner(n) as owner, random() < 0.2 as shared, 1 + (${teams - 1} * random()^3)::int as team,
             now() - (${all} - n) * interval '30 seconds' as at, bench_words(6) as cargo
        from generate_series(${from}::int, ${to}::int) n
    ), runs as (
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, result, error,
                              log_count, log_bytes, created_at, started_at, finished_at)
      select 'run_bench_' || n, 'pipeline', 'run_bench_' || n, 0, 'flow_' || n % 40, 'user_' || owner,
             case when shared then 'team_' || team end, case when n % 20 = 0 then 'failed' else 'done' end,
             json_build_object('name', 'Flow ' || n % 40, 'definition', '{}'::json, 'inputs',
                               json_build_object('cargo', cargo, 'lane', 'NL-PL ' || n % 997), 'body', ''),
             case when n % 20 > 0 then json_build_object('outputs', json_build_object('manifest', cargo || ' was landed')) end,
             case when n % 20 = 0 then 'the crane did not answer' end, 6, 400, at, at, at + interval '2 seconds'
        from made returning id
    )
    insert into log_lines (execution_id, seq, text)
    select 'run_bench_' || n, 6, string_agg('2026-11-20T08:15:04.123Z [step_' || seq || '] '
           || case when seq = 4 and n % 100000 = 77 then 'a needle in the hay ' else '' end || bench_words(7), E'\\n' order by seq)
      from made, generate_series(1, 6) seq group by n`.execute(db);
}

/** One turn each, with a call of a tool. */
async function seedConversations({ db }: Db, from: number, to: number, all: number): Promise<void> {
  await sql`
    with made as materialized (
      select n, bench_owner(n) as owner, random() < 0.2 as shared, 1 + (${teams - 1} * random()^3)::int as team,
             now() - (${all} - n) * interval '90 seconds' as at, bench_words(15) as question
        from generate_series(${from}::int, ${to}::int) n
    ), talks as (
      insert into interactions (id, agent_id, user_id, team_id, type, state, name, execution_id, created_at, updated_at)
      select 'int_bench_' || n, 'agent_bench', 'user_' || owner, case when shared then 'team_' || team end, 'console',
             'completed', left(question, 60), 'turn_bench_' || n, at, at
        from made returning id
    ), turns as (
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, result, created_at,
                              started_at, finished_at)
      select 'turn_bench_' || n, 'turn', 'turn_bench_' || n, 0, 'int_bench_' || n, 'user_' || owner,
             case when shared then 'team_' || team end, 'done', json_build_object('messageSeq', 1), 'null', at, at,
             at + interval '5 seconds'
        from made
    ), said as (
      insert into messages (interaction_id, seq, id, role, content, created_at)
      select 'int_bench_' || n, seq, 'msg_bench_' || n || '_' || seq, case seq when 1 then 'user' else 'assistant' end,
             case seq when 1 then question else 'Here it is.' end, at
        from made, generate_series(1, 2) seq returning interaction_id
    )
    insert into message_parts (interaction_id, message_seq, seq, part)
    select 'int_bench_' || n, 2, seq,
           case seq when 1 then json_build_object('id', 'tool-1-0', 'type', 'tool_invocation', 'toolCallId', 'c',
                    'toolName', 'harbor__lanes', 'toolCallState', 'completed',
                    'result', json_build_object('args', json_build_object('quay', bench_word()), 'result', bench_words(12)))
                    else json_build_object('id', 'text-2', 'type', 'text', 'text',
                    case when n % 100000 = 77 then 'a needle in the hay ' else '' end || bench_words(30)) end
      from made, generate_series(1, 2) seq`.execute(db);
}

async function seedArtifacts({ db }: Db, artifacts: number, conversations: number): Promise<void> {
  const triggered = ["artifacts", "artifact_versions"];
  // What the triggers would do row by row is done at once at the end.
  for (const table of triggered) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await sql`insert into artifacts (id, agent_id, interaction_id, user_id, team_id, filename, version_id, major_version, created_at)
    select 'art_bench_' || n, 'agent_bench', i.id, i.user_id, i.team_id,
           case when n % 10000 = 77 then 'needle ' else 'report ' end || bench_words(2) || ' ' || n || '.md', 'ver_bench_' || n, 1,
           i.created_at
      from generate_series(1, ${artifacts}) n join interactions i on i.id = 'int_bench_' || (1 + n % ${conversations})`.execute(
    db,
  );
  await sql`insert into artifact_versions (id, artifact_id, major_version, file_id, media_type, size)
    select version_id, id, 1, 'file_bench_' || id, 'text/markdown', 1000 from artifacts`.execute(db);
  await sql`insert into artifact_audience select listed.* from artifacts, artifact_audience_of(artifacts.id) listed`.execute(
    db,
  );
  for (const table of triggered) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
}
