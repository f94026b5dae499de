import { Gauge, type Registry } from "prom-client";
import { coalesced } from "../store/batch.ts";
import type { Store } from "../store/store.ts";

/** For the database's answer, in milliseconds: who scrapes waits for ten seconds by default. */
const answerMs = 3_000;
/** Teams that have a series of their own; all others share one. */
const mostTeams = 20;

interface Figures {
  readonly ready: number;
  readonly oldest_seconds: number;
  readonly teams: readonly { readonly team: string; readonly running: number; readonly held: number }[];
}

/** What the database alone knows, the same in each process; NaN and no teams where it does not answer. */
export function meterQueue(store: Pick<Store, "prompt">, registry: Registry): void {
  // All ask at the same moment, and get one answer.
  const read = coalesced(() => readFigures(store).catch(() => null));
  const plain = (name: string, help: string, figureOf: (figures: Figures | null) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(figureOf(await read()));
      },
    });
  const byTeam = (name: string, help: string, of: "running" | "held") =>
    new Gauge({
      ...{ name, help, registers: [registry], labelNames: ["team"] },
      async collect() {
        const figures = await read();
        this.reset();
        for (const { team, [of]: count } of figures?.teams ?? []) this.set({ team }, count);
      },
    });
  plain("wheelhouse_database_up", "Whether the database answered this scrape", (figures) =>
    figures === null ? 0 : 1,
  );
  plain(
    "wheelhouse_executions_ready",
    "Executions that wait for a worker's place, of all processes",
    (figures) => figures?.ready ?? Number.NaN,
  );
  plain(
    "wheelhouse_executions_ready_oldest_seconds",
    "How long the oldest of them has been ready; 0 where there is none",
    (figures) => figures?.oldest_seconds ?? Number.NaN,
  );
  byTeam(
    "wheelhouse_executions_running",
    `In the hands of workers: of the ${mostTeams} busiest teams, of "(others)", and of people outside of teams as ""`,
    "running",
  );
  byTeam(
    "wheelhouse_executions_held",
    "Held back by the limit of their team or person, by team as above",
    "held",
  );
}

async function readFigures(store: Pick<Store, "prompt">): Promise<Figures> {
  const [figures] = await store.prompt<Figures & Record<string, unknown>>(
    {
      name: "metrics_queue",
      text: `
        with ready as (
          select count(*)::integer as ready, coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as oldest_seconds
            from executions where state = 'queued' and held_at is null and queued_at <= now()
        ), counts as (
          select limit_key, count(*) as running, 0 as held from executions where state = 'running' group by limit_key
          union all
          select limit_key, 0, count(*) from executions where held_at is not null group by limit_key
          union all
          select 'user:', 0, 0
        ), keys as (
          select case when limit_key like 'team:%' then substr(limit_key, 6) else '' end as team,
                 sum(running)::integer as running, sum(held)::integer as held
            from counts group by team
        ), ranked as (
          select *, row_number() over (partition by team = '' order by running + held desc, team) as place from keys
        ), teams as (
          select case when place <= ${mostTeams} then team else '(others)' end as team,
                 sum(running)::integer as running, sum(held)::integer as held
            from ranked group by 1
        )
        select ready.*, coalesce((select json_agg(teams) from teams), '[]') as teams from ready`,
    },
    answerMs,
  );
  if (figures === undefined) throw new Error("the database counted nothing");
  return figures;
}
