import type { Migration } from "./index.ts";

/**
 * Artifacts are given to addresses, as nobody need be here who has one. Who is here and gets another address keeps what was
 * given to them, and whoever has the old one next gets nothing of it: whatever changes an address, grants go along.
 */
export const movedAddresses: Migration = {
  name: "0088_moved_addresses",
  sql: `
create function user_addresses_moved() returns trigger language plpgsql as $$
declare
  was text[];
  now_is text[];
  taken json;
begin
  select array_agg(lower(old_row.email)), array_agg(lower(new_row.email)) into was, now_is
    from old_row join new_row using (id) where lower(old_row.email) <> lower(new_row.email);
  if was is null then return null; end if;
  -- The artifact first, as a change of its access does.
  perform from artifacts where id in (select artifact_id from artifact_grants where kind = 'person' and grantee = any(was))
    order by id for update;
  -- All are taken before one is given: two people may swap their addresses.
  with gone as (
    delete from artifact_grants where kind = 'person' and grantee = any(was) returning *
  ) select json_agg(gone) into taken from gone;
  insert into artifact_grants as given (artifact_id, kind, grantee, role, created_at, granted_by)
    select artifact_id, kind, now_is[array_position(was, grantee)], role, created_at, granted_by
      from json_populate_recordset(null::artifact_grants, taken)
    on conflict (artifact_id, kind, grantee) do update set role = excluded.role
      where coalesce(array_position(array['viewer', 'editor', 'owner'], given.role), 0)
          < coalesce(array_position(array['viewer', 'editor', 'owner'], excluded.role), 0);
  return null;
end $$;
create trigger users_addresses_moved after update on users
  referencing old table as old_row new table as new_row for each statement execute function user_addresses_moved();
`,
};
