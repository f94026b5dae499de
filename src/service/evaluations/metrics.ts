import { type Kysely, sql } from "kysely";
import type { EvaluationMetrics } from "../../contract/evaluations.ts";
import type { Database } from "../store/schema.ts";

/** From the best to the worst. */
const grades = ["pass", "needs_review", "needs_attention"];

type Counts = EvaluationMetrics["grades"];

/** One count of sessions: in the window or before it, by all that judged (`overall`) or by one of them. */
interface GradeRow {
  readonly current: boolean;
  readonly overall: boolean;
  readonly rubric: string | null;
  readonly name: string | null;
  readonly grade: string;
  readonly count: number;
}

/**
 * Counts how the sessions of an agent were graded in the last `days` and in as many before: each session once, by the
 * worst grade that it got, over all that judge and for each of them. One without a grade counts in none; a tag counts
 * once for each session that got it.
 */
export async function countResults(
  db: Kysely<Database>,
  agentId: string,
  days: number,
): Promise<EvaluationMetrics> {
  const recent = sql`
    select id, interaction_id, evaluation_id, status, tags, array_position(${grades}::text[], grade) as rank,
           created_at > now() - ${days} * interval '1 day' as current
      from evaluation_results
     where agent_id = ${agentId} and created_at > now() - ${2 * days} * interval '1 day'
       and not exists (select from interactions where id = interaction_id and deleted_at is not null)`;
  const [graded, tagged, behind] = await Promise.all([
    sql<GradeRow>`
      with recent as (${recent}),
      worst as (
        select current, interaction_id, evaluation_id, grouping(evaluation_id) = 1 as overall, max(rank) as rank
          from recent where rank is not null
         group by grouping sets ((current, interaction_id), (current, interaction_id, evaluation_id))
      )
      select current, overall, evaluation_id as rubric, saved.name, (${grades}::text[])[rank] as grade,
             count(*)::int as count
        from worst left join evaluations saved on saved.id = evaluation_id
       group by current, overall, evaluation_id, saved.name, rank
       order by saved.name nulls first, rubric`.execute(db),
    sql<{ readonly current: boolean; readonly tag: string; readonly count: number }>`
      with recent as (${recent})
      select current, tag, count(distinct interaction_id)::int as count
        from recent, jsonb_array_elements_text(tags) as tag
       group by current, tag order by tag`.execute(db),
    sql<{ readonly count: number }>`
      with recent as (${recent})
      select count(*)::int as count from recent where current and status = 'completed'`.execute(db),
  ]);
  const overall = graded.rows.filter((row) => row.overall);
  const each = graded.rows.filter((row) => !row.overall);
  const judges = new Map(each.map(({ rubric, name }) => [rubric, name]));
  const tagsOf = (current: boolean) =>
    Object.fromEntries(
      tagged.rows.filter((row) => row.current === current).map(({ tag, count }) => [tag, count]),
    );
  return {
    days,
    grades: gradesOf(overall, true),
    tags: tagsOf(true),
    counted: "sessions",
    results: behind.rows[0]?.count ?? 0,
    before: { grades: gradesOf(overall, false), tags: tagsOf(false) },
    rubrics: [...judges].map(([id, name]) => {
      const rows = each.filter(({ rubric }) => rubric === id);
      return {
        rubric: id === null ? null : { id, name: name ?? id },
        grades: gradesOf(rows, true),
        before: gradesOf(rows, false),
      };
    }),
  };
}

/** The counts of one of the two periods, also of grades that nothing got. */
function gradesOf(rows: readonly GradeRow[], current: boolean): Counts {
  return Object.fromEntries(
    grades.map((grade) => [
      grade,
      rows.find((row) => row.current === current && row.grade === grade)?.count ?? 0,
    ]),
  );
}
