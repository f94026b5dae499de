import { type FreshStore, freshStore } from "../database.ts";

/** A database whose clock and disk a schedule moves and fills. */
export interface ScheduleDatabase {
  /** Whoever looks on from outside, through no proxy. */
  readonly fresh: FreshStore;
  /** Its clock jumps, for everybody. */
  jump(ms: number): Promise<void>;
  /** Whether its disk takes another step or line. */
  setFull(isFull: boolean): Promise<void>;
  /** Ends every connection but those of whoever looks on. */
  throwOut(): Promise<void>;
  /** The time by which connections are told apart: the real one, whatever jumped. */
  time(): Promise<Date>;
  /** How many connections are older, but those of whoever looks on. */
  olderThan(time: Date): Promise<number>;
}

/**
 * Makes one. Its functions of time stand before those of PostgreSQL in the search path: everything that asks for the time asks
 * them, also defaults of columns and the queue's own functions.
 */
export async function scheduleDatabase(): Promise<ScheduleDatabase> {
  const fresh = await freshStore();
  const { pool } = fresh.store;
  /** The connections of whoever looks on, by the process that serves each. */
  const mine: number[] = [];
  pool.on("connect", (client) => mine.push(Number(Reflect.get(client, "processID"))));
  await pool.query(`
    create schema moved;
    create table moved.state (by interval not null, is_full boolean not null);
    insert into moved.state values ('0', false);
    create function moved.now() returns timestamptz language sql stable
      as $$ select pg_catalog.now() + by from moved.state $$;
    create function moved.clock_timestamp() returns timestamptz language sql volatile
      as $$ select pg_catalog.clock_timestamp() + by from moved.state $$;
    create function moved.fill() returns trigger language plpgsql as $$
      begin
        if (select is_full from moved.state) then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$;
    create trigger fill before insert on steps for each row execute function moved.fill();
    create trigger fill before insert on log_lines for each row execute function moved.fill();
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
  return {
    fresh,
    jump: async (ms) => {
      await pool.query("update moved.state set by = by + make_interval(secs => $1::float8 / 1000)", [ms]);
    },
    setFull: async (isFull) => {
      await pool.query("update moved.state set is_full = $1", [isFull]);
    },
    throwOut: async () => {
      await pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> all($1)",
        [mine],
      );
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
