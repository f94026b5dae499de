import { sql } from "kysely";
import type { Store } from "../src/service/store/store.ts";

/**
 * Fills a database with artifacts as a busy year leaves them: most are Ada's, in three conversations with one agent; a
 * fifth her team's and a fifth Grace's own. One in fifty is called something with "needle"; of each fifty one is given to
 * Grace and one has an open link.
 * @param count how many
 */
export async function seedArtifacts({ db }: Store, agentId: string, count: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`insert into interactions (id, agent_id, user_id, team_id, type, state, name, execution_id)
      select 'int_bench_' || n, ${agentId}, case when n % 5 = 0 then 'user_grace' else 'user_ada' end,
             case when n % 5 = 1 then 'team_harbor' end, 'api', 'completed', 'Bench', 'none'
        from generate_series(0, 4) n`.execute(tx);
    // What the triggers would do row by row is done at once at the end.
    await sql`alter table artifacts disable trigger user`.execute(tx);
    await sql`alter table artifact_versions disable trigger user`.execute(tx);
    await sql`alter table artifact_grants disable trigger user`.execute(tx);
    await sql`insert into artifacts (id, agent_id, interaction_id, user_id, team_id, filename, version_id, major_version,
                                     created_at, link_mode, link_role, link_id, link_by)
      select 'art_bench_' || n, ${agentId}, i.id, i.user_id, i.team_id,
             case when n % 50 = 31 then 'needle ' else 'report ' end || md5(n::text) || '.md', 'ver_bench_' || n, 1,
             now() - n * interval '5 minutes',
             case when shared then 'anyone' else 'none' end, case when shared then 'viewer' end,
             case when shared then 'link_bench_' || md5(n::text) end, case when shared then 'user_ada' end
        from generate_series(1, ${count}) n
        join interactions i on i.id = 'int_bench_' || n % 5
       cross join lateral (select n % 50 = 7 and i.user_id = 'user_ada' as shared) link`.execute(tx);
    await sql`insert into artifact_versions (id, artifact_id, major_version, file_id, media_type, size)
      select version_id, id, 1, 'file_bench_' || id, 'text/markdown', 1000 from artifacts
       where id like 'art_bench_%'`.execute(tx);
    await sql`insert into artifact_grants (artifact_id, kind, grantee, role, granted_by)
      select a.id, 'person', lower(grace.email), 'viewer', 'user_ada'
        from generate_series(1, ${count}) n join artifacts a on a.id = 'art_bench_' || n
        join users grace on grace.id = 'user_grace'
       where n % 50 = 13 and a.user_id = 'user_ada'`.execute(tx);
    await sql`insert into artifact_audience select listed.* from artifacts, artifact_audience_of(artifacts.id) listed
       where artifacts.id like 'art_bench_%'`.execute(tx);
    await sql`alter table artifacts enable trigger user`.execute(tx);
    await sql`alter table artifact_versions enable trigger user`.execute(tx);
    await sql`alter table artifact_grants enable trigger user`.execute(tx);
  });
  await sql`analyze`.execute(db);
}
