import type { Migration } from "./index.ts";

/**
 * An e-mail address is one person's, however it is written: grants name it in lower case. Of people who had one address but
 * for its case, whoever used a credential last keeps it, and the others get one that can be nobody's; who of them is in the
 * workspace's file has its address back at the start that follows. Nothing else of them changes.
 */
export const addresses: Migration = {
  name: "0013_addresses",
  sql: `
-- The address of somebody who lost his own to another person: .invalid is nobody's (RFC 2606).
create function former_email(p_id text) returns text language sql immutable as $$
  select p_id || '@' || left(md5(p_id), 8) || '.former.invalid'
$$;
update users set email = former_email(id) where id in (
  select id from (
    select id, row_number() over (partition by lower(email) order by
             (select max(last_used_at) from credentials where user_id = users.id) desc nulls last, id) as place
      from users) ranked
   where place > 1);
-- Looked at when the transaction ends: two people may swap their addresses.
alter table users drop constraint users_email_key,
  add constraint users_email exclude using btree (lower(email) with =) deferrable initially deferred;
`,
};
