import type { Migration } from "./index.ts";

/**
 * What a flow was when a run of it started is kept once for all runs of that version, not in each of them. Runs of before
 * keep the copy that they have.
 */
export const flowVersions: Migration = {
  name: "0021_flow_versions",
  sql: `
create table flow_versions (
  -- of the definition's text
  hash text primary key,
  definition json not null
);
alter table saved_items add column version text;

create function keep_flow_version() returns trigger language plpgsql as $$
begin
  new.version := left(encode(sha256(convert_to(new.definition::text, 'UTF8')), 'hex'), 32);
  insert into flow_versions values (new.version, new.definition) on conflict do nothing;
  return new;
end
$$;
create trigger saved_items_version before insert or update of definition on saved_items
  for each row execute function keep_flow_version();
update saved_items set definition = definition;
alter table saved_items alter column version set not null;
`,
};
