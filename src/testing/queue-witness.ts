import type { Store } from "../service/store/store.ts";

/** Notes each execution that becomes ready for any worker, whoever takes it then. */
export async function witnessQueue({ pool }: Pick<Store, "pool">): Promise<void> {
  await pool.query(`
    create table seen_ready (id text);
    create function note_ready() returns trigger language plpgsql as $$
    begin insert into seen_ready values (new.id); return null; end $$;
    create trigger note_ready after insert or update of state, queued_at on executions for each row
      when (new.state = 'queued' and new.queued_at <= now()) execute function note_ready()`);
}

/** @returns those of these ids that were ever ready for any worker, each as often as it was */
export async function everReady({ pool }: Pick<Store, "pool">, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from seen_ready where id = any($1) order by id",
    [ids],
  );
  return rows.map((row) => row.id);
}
