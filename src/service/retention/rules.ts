import { type RawBuilder, sql } from "kysely";

/** What can be kept for a time of its own, as `wheelhouse.yaml` names it. */
export const retentionKinds = ["runs", "failed_runs", "conversations", "run_files", "search_index"] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** How long something is kept. Null: for ever. */
export type Days = number | null;

/** How long things of one kind are kept: by their team where it has an exception, else as all. */
export interface Rule {
  readonly days: Days;
  readonly teams: ReadonlyMap<string, Days>;
}

/** A rule for each kind; without days and exceptions nothing of it is ever deleted. */
export type RetentionRules = Readonly<Record<RetentionKind, Rule>>;

type Written = Partial<Record<RetentionKind, string | undefined>>;

const daysIn: Record<string, number> = { d: 1, w: 7, y: 365 };

/** @param written what `retention` of `wheelhouse.yaml` says, as its schema has checked it */
export function readRules(
  written: Written & { readonly teams: Readonly<Record<string, Written>> },
): RetentionRules {
  const ruleOf = (kind: RetentionKind): Rule => ({
    days: readDays(written[kind]),
    teams: new Map(
      Object.entries(written.teams).flatMap(([team, own]) =>
        own[kind] === undefined ? [] : [[team, readDays(own[kind])]],
      ),
    ),
  });
  return {
    runs: ruleOf("runs"),
    failed_runs: ruleOf("failed_runs"),
    conversations: ruleOf("conversations"),
    run_files: ruleOf("run_files"),
    search_index: ruleOf("search_index"),
  };
}

/** `90d`, `12w`, `1y`; what is not said or `forever` is null. */
export function readDays(text: string | undefined): Days {
  const [, count, unit] = /^(\d+)([dwy])$/.exec(text ?? "") ?? [];
  return count === undefined || unit === undefined ? null : Number(count) * (daysIn[unit] ?? 1);
}

/** Whether anything of these kinds ever goes. */
export function deletesAny(rules: RetentionRules, kinds: readonly RetentionKind[] = retentionKinds): boolean {
  return kinds.some((kind) => shortest(rules[kind]) !== null);
}

/** How long things of this team are kept; of null: of people outside teams. */
export function daysOf({ days, teams }: Rule, teamId: string | null): Days {
  const own = teamId === null ? undefined : teams.get(teamId);
  return own === undefined ? days : own;
}

/** The shortest time that the rule has for anybody. */
function shortest({ days, teams }: Rule): Days {
  return [days, ...teams.values()].reduce((least, next) => {
    return least === null || (next !== null && next < least) ? next : least;
  }, null);
}

/** Nothing younger goes, whatever its kind and team: a time of the database's clock. */
export function youngest(rules: RetentionRules, kinds: readonly RetentionKind[]): RawBuilder<Date> {
  return sql`greatest(${sql.join(kinds.map((kind) => daysAgo(shortest(rules[kind]))))})`;
}

/** What is older than this goes: a time of the database's clock, by the team in that column. */
export function goesBefore({ days, teams }: Rule, teamColumn: string): RawBuilder<Date> {
  if (teams.size === 0) return daysAgo(days);
  const exceptions = [...teams].map(([team, own]) => sql`when ${team} then ${daysAgo(own)}`);
  return sql`case ${sql.ref(teamColumn)} ${sql.join(exceptions, sql` `)} else ${daysAgo(days)} end`;
}

function daysAgo(days: Days): RawBuilder<Date> {
  if (days === null) return sql<Date>`'-infinity'::timestamptz`;
  return sql<Date>`(now() - make_interval(days => ${sql.lit(days)}))`;
}
