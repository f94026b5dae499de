import { type FreshStore, freshStore } from "../database.ts";

/** A database whose clock and disk a schedule moves and fills. */
export interface ScheduleDatabase {
  /** Whoever looks on from outside, through no proxy. */
  readonly fresh: FreshStore;
  /** Its clock jumps, for everybody. */
  jump(ms: number): Promise<void>;
  /**
   * Its clock stands at a moment that something is due, or so many microseconds later, until what is returned lets it go on.
   * @param which of all that are there, by any number
   * @returns null where nothing is due at any time; else by how many milliseconds it jumped
   */
  standAt(
    which: number,
    microseconds: number,
  ): Promise<{
    readonly ms: number;
    /** The questions whose time is over then. */
    readonly over: readonly { readonly id: string; readonly execution_id: string }[];
    readonly goOn: () => Promise<void>;
  } | null>;
  /** Has all workers look for jobs now, which else they do within a second. */
  lookForJobs(): Promise<void>;
  /** Whether its disk takes another step or line. */
  setFull(isFull: boolean): Promise<void>;
  /** From now on every connection is new, and of a server that takes nothing until it is the one that does. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** How many of a team or a person may be at work at the same time; null: as many as of all. */
  limit(limitKey: string, most: number | null): Promise<void>;
  /** Nobody has a limit of their own any more. */
  unlimit(): Promise<void>;
  /** What was deleted, executions and conversations, by its id: whether it was over by then. */
  removed(): Promise<ReadonlyMap<string, boolean>>;
  /** Steps of an execution that ended before the time for which they waited, other than by a clock that was turned back then. */
  endedEarly(id: string): Promise<readonly string[]>;
  /** What a run of `parts.ts` has recorded, by key, also when it is gone: its output as JSON, and what it started. */
  did(
    id: string,
  ): Promise<ReadonlyMap<string, { readonly output: unknown; readonly childId: string | null }>>;
  /** What began although its team or person had as many as it may. */
  overfull(): Promise<readonly string[]>;
  /** Ends every connection but those of whoever looks on. */
  throwOut(): Promise<void>;
  /** The time by which connections are told apart: the real one, whatever jumped. */
  time(): Promise<Date>;
  /** How many connections are older, but those of whoever looks on. */
  olderThan(time: Date): Promise<number>;
}

/** For so long somebody may go by the old time while the clock is turned. */
const whileTurned = "interval '50 ms'";

/**
 * Makes one. Its functions of time stand before those of PostgreSQL in the search path: everything that asks for the time asks
 * them, also defaults of columns and the queue's own functions. As PostgreSQL's own, `now` is the same in a whole transaction;
 * in one that began before the clock was turned it is not before what it was turned to.
 */
export async function scheduleDatabase(): Promise<ScheduleDatabase> {
  const fresh = await freshStore();
  const { pool } = fresh.store;
  /** The connections of whoever looks on, by the process that serves each. */
  const mine: number[] = [];
  pool.on("connect", (client) => {
    mine.push(Number(Reflect.get(client, "processID")));
    void client.query("set default_transaction_read_only = off");
  });
  await pool.query(`
    create schema moved;
    create table moved.state (by interval not null, is_full boolean not null, still timestamptz,
                              since timestamptz not null default pg_catalog.clock_timestamp());
    insert into moved.state values ('0', false);
    create table moved.turned_back (from_at timestamptz not null, to_at timestamptz not null);
    create function moved.note_turned_back() returns trigger language plpgsql as $$
      declare
        clock timestamptz := pg_catalog.clock_timestamp();
        from_at timestamptz := coalesce(old.still, clock + old."by");
        to_at timestamptz := coalesce(new.still, new.since + new."by");
      begin
        if to_at < from_at then insert into moved.turned_back values (from_at, to_at); end if;
        return null;
      end $$;
    create trigger note_turned_back after update on moved.state for each row execute function moved.note_turned_back();
    create function moved.now() returns timestamptz language sql stable
      as $$ select coalesce(nullif(current_setting('moved.now', true), ''), set_config('moved.now',
                     (select coalesce(still, greatest(pg_catalog.now(), since) + by)::text from moved.state), true))::timestamptz $$;
    create function moved.clock_timestamp() returns timestamptz language sql volatile
      as $$ select coalesce(still, pg_catalog.clock_timestamp() + by) from moved.state $$;
    create function moved.fill() returns trigger language plpgsql as $$
      begin
        if (select is_full from moved.state) then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$;
    create trigger fill before insert on steps for each row execute function moved.fill();
    create trigger fill before insert on log_lines for each row execute function moved.fill();
    create table moved.removed (id text not null, was_over boolean not null);
    create function moved.note_removed() returns trigger language plpgsql as $$
      begin
        insert into moved.removed values (old.id,
          case tg_table_name when 'executions' then to_jsonb(old) ->> 'finished_at' is not null
                             else to_jsonb(old) ->> 'state' <> 'processing' end);
        return null;
      end $$;
    create trigger note_removed after delete on executions for each row execute function moved.note_removed();
    create trigger note_removed after delete on interactions for each row execute function moved.note_removed();
    create table moved.did (execution_id text not null, key text not null, output text not null, child_id text);
    create function moved.note_did() returns trigger language plpgsql as $$
      begin
        insert into moved.did select new.execution_id, new.key, coalesce(new.output::text, 'null'), new.child_id
          from executions where id = new.execution_id and subject_id in ('flow_parts', 'flow_pair');
        return null;
      end $$;
    create trigger note_did_new after insert on steps for each row
      when (new.state = 'done') execute function moved.note_did();
    create trigger note_did after update of state on steps for each row
      when (old.state <> 'done' and new.state = 'done') execute function moved.note_did();
    create table moved.overfull (what text not null);
    create function moved.note_overfull() returns trigger language plpgsql as $$
      declare
        most integer := (select running from running_limits where limit_key = new.limit_key);
        at_work integer;
        placed integer;
      begin
        if most is null then return null; end if;
        select count(*) filter (where state = 'running'), count(*) filter (where has_place) into at_work, placed
          from executions where limit_key = new.limit_key and finished_at is null;
        if at_work > most or (new.has_place and new.epoch = 1 and placed > most) then
          insert into moved.overfull values (format('%s began, and of %s %s were at work and %s had places, of %s',
                                                    new.id, new.limit_key, at_work, placed, most));
        end if;
        return null;
      end $$;
    create trigger note_overfull after update of state on executions for each row
      when (old.state <> 'running' and new.state = 'running') execute function moved.note_overfull();
    create trigger note_overfull_new after insert on executions for each row
      when (new.state = 'running') execute function moved.note_overfull();
    do $$
      declare given record;
      begin
        for given in
          select adrelid::regclass as owner, attname, pg_get_expr(adbin, adrelid) as value
            from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
           where pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp)\\(\\)'
        loop
          execute format('alter table %s alter column %I set default %s', given.owner, given.attname,
                         regexp_replace(given.value, '(now|clock_timestamp)\\(\\)', 'moved.\\1()', 'g'));
        end loop;
        execute format('alter database %I set search_path = public, moved, pg_catalog', current_database());
      end $$;
    set search_path = public, moved, pg_catalog`);
  const throwOut = async () => {
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> all($1)",
      [mine],
    );
  };
  return {
    ...{ fresh, throwOut },
    jump: async (ms) => {
      await pool.query(
        "update moved.state set by = by + make_interval(secs => $1::float8 / 1000), since = pg_catalog.clock_timestamp()",
        [ms],
      );
    },
    standAt: async (which, microseconds) => {
      const { rows } = await pool.query<{ ms: number }>(
        `with due as (
           select wake_at as at from steps where state = 'waiting' and wake_at is not null
           union select lapses_at from approvals where state = 'waiting'
           union select lease from executions where state = 'running'
           union select run_at from graphile_worker.jobs where locked_at is null
         ), numbered as (
           select at, row_number() over (order by at) as number, count(*) over () as count from due
         ), chosen as (
           select at + $2 * interval '1 us' as at from numbered where number = 1 + $1 % count
         )
         update moved.state set still = at from chosen
         returning (extract(epoch from at - (pg_catalog.clock_timestamp() + by)) * 1000)::float8 as ms`,
        [which, microseconds],
      );
      const [row] = rows;
      if (row === undefined) return null;
      const goOn = async () => {
        await pool.query(
          "update moved.state set by = still - pg_catalog.clock_timestamp(), still = null, since = pg_catalog.clock_timestamp()",
        );
      };
      const over = await pool.query<{ id: string; execution_id: string }>(
        "select id, execution_id from approvals, moved.state where approvals.state = 'waiting' and lapses_at <= still",
      );
      return { ms: row.ms, over: over.rows, goOn };
    },
    lookForJobs: async () => {
      await pool.query(`select pg_notify('jobs:insert', '{"count": 9}')`);
    },
    setFull: async (isFull) => {
      await pool.query("update moved.state set is_full = $1", [isFull]);
    },
    setReadOnly: async (isReadOnly) => {
      const { rows } = await pool.query<{ is: boolean }>(
        `select 'default_transaction_read_only=on' = any(setconfig) as is from pg_db_role_setting
          where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = 0`,
      );
      if ((rows[0]?.is ?? false) === isReadOnly) return;
      await pool.query(`
        do $$ begin
          execute format('alter database %I set default_transaction_read_only = ${isReadOnly ? "on" : "off"}', current_database());
        end $$`);
      await throwOut();
    },
    // As whoever claims does: nothing of theirs begins meanwhile.
    limit: async (limitKey, most) => {
      await pool.query(
        `with alone as materialized (select pg_advisory_xact_lock(hashtextextended('limit ' || $1, 0))),
              gone as (delete from running_limits using alone where limit_key = $1 and $2::integer is null)
         insert into running_limits (limit_key, running) select $1, $2 from alone where $2::integer is not null
         on conflict (limit_key) do update set running = excluded.running`,
        [limitKey, most],
      );
    },
    unlimit: async () => {
      await pool.query("delete from running_limits");
    },
    removed: async () => {
      const { rows } = await pool.query<{ id: string; was_over: boolean }>("select * from moved.removed");
      return new Map(rows.map(({ id, was_over }) => [id, was_over]));
    },
    // A job that was taken when its time had come is done, however the clock is turned before it says so.
    endedEarly: async (id) => {
      const { rows } = await pool.query<{ key: string }>(
        `select key from steps where execution_id = $1 and state = 'done' and finished_at < wake_at
            and not exists (select from moved.turned_back
                             where wake_at <= from_at + ${whileTurned} and finished_at >= to_at)`,
        [id],
      );
      return rows.map(({ key }) => key);
    },
    did: async (id) => {
      const { rows } = await pool.query<{ key: string; output: string; child_id: string | null }>(
        "select key, output, child_id from moved.did where execution_id = $1",
        [id],
      );
      return new Map(
        rows.map(({ key, output, child_id }) => [key, { output: JSON.parse(output), childId: child_id }]),
      );
    },
    overfull: async () => {
      const { rows } = await pool.query<{ what: string }>("select what from moved.overfull");
      return rows.map(({ what }) => what);
    },
    time: async () => {
      const { rows } = await pool.query<{ now: Date }>("select pg_catalog.clock_timestamp() as now");
      const [row] = rows;
      if (row === undefined) throw new Error("the database knows no time");
      return row.now;
    },
    olderThan: async (time) => {
      const { rowCount } = await pool.query(
        "select from pg_stat_activity where datname = current_database() and pid <> all($1) and backend_start < $2",
        [mine, time],
      );
      return rowCount ?? 0;
    },
  };
}
