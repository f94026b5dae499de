import type { Migration } from "./index.ts";

/**
 * Links that open an artifact without an account, who gave what to whom, and for whom each artifact is listed: a list of
 * a hundred thousand reads as many rows as it shows.
 */
export const sharing: Migration = {
  name: "0007_sharing",
  sql: `
alter table artifacts
  -- in the address of the link, beside its signature; a link that is closed and opened again gets another
  add column link_id text unique,
  -- of scrypt with its salt; only in the mode 'password'
  add column link_password text,
  -- rises with each change after which what was signed for the link ends
  add column link_revision integer not null default 0,
  -- who opened the link, and who gave it to the organization
  add column link_by text references users (id),
  add column organization_by text references users (id),
  drop constraint artifacts_interaction_id_filename_key;
alter table artifact_grants add column granted_by text references users (id);
update artifacts set link_id = replace(gen_random_uuid()::text, '-', '') where link_mode <> 'none';
alter table artifacts add constraint artifacts_link check ((link_mode = 'none') = (link_id is null)),
  add constraint artifacts_link_password check ((link_mode = 'password') = (link_password is not null));
-- A name that was deleted may be written anew, as another artifact.
create unique index artifacts_name on artifacts (interaction_id, filename) where removed_at is null;

-- The passwords that were tried on a link in the last hour and did not fit, or are being tried.
create table link_tries (
  id bigint generated always as identity primary key,
  artifact_id text not null references artifacts (id) on delete cascade,
  -- where it came from; null when somebody there knew the password since
  network text,
  tried_at timestamptz not null
);
create index link_tries_artifact on link_tries (artifact_id, tried_at);

-- One row for each artifact that is not deleted and each of those for whom lists have it: 'user:ID', 'team:ID',
-- 'email:ADDRESS', 'everybody'; 'sharer:USER' is for what that person opened to others. Kept by triggers alone.
create table artifact_audience (
  audience text not null,
  artifact_id text not null references artifacts (id) on delete cascade,
  agent_id text not null,
  interaction_id text not null,
  user_id text,
  -- of the newest version, in lower case and without parameters
  media_type text,
  created_at timestamptz not null,
  -- in lower case: searched, and sorted by its beginning
  name text not null,
  primary key (audience, artifact_id)
);
create index artifact_audience_artifact on artifact_audience (artifact_id);
create index artifact_audience_time on artifact_audience (audience, created_at, artifact_id);
create index artifact_audience_name on artifact_audience (audience, left(name, 200), artifact_id);
create index artifact_audience_agent_time on artifact_audience (audience, agent_id, created_at, artifact_id);
create index artifact_audience_agent_name on artifact_audience (audience, agent_id, left(name, 200), artifact_id);
create index artifact_audience_talk_time on artifact_audience (audience, interaction_id, created_at, artifact_id);
create index artifact_audience_talk_name
  on artifact_audience (audience, interaction_id, left(name, 200), artifact_id);

-- What a filter may ask for, so that an index finds it: every one, two and three characters that stand in the name, the
-- media type and its kind, and the creator. It calls no function of ours: an index is built without our search path.
create function artifact_labels(name text, media_type text, user_id text) returns text[]
language sql immutable parallel safe as $$
  select array_remove(array['type:' || media_type, 'kind:' || split_part(media_type, '/', 1), 'by:' || user_id], null)
      || array(select distinct substr(name, at, size) from generate_series(1, length(name)) at, generate_series(1, 3) size
                where at + size - 1 <= length(name))
$$;
-- Those of them that a part of a name needs: the longest say most.
create function artifact_labels_of_part(part text) returns text[] language sql immutable parallel safe as $$
  select array(select distinct substr(part, at, least(3, length(part)))
                 from generate_series(1, greatest(1, length(part) - 2)) at)
$$;
create index artifact_audience_labels on artifact_audience using gin (artifact_labels(name, media_type, user_id));

-- The roles are those of src/service/permission/artifacts.ts; a role that nobody knows lists nothing.
create function artifact_audience_of(p_artifact text) returns setof artifact_audience language sql stable as $$
  with given as (
    select kind, grantee, granted_by from artifact_grants
     where artifact_id = p_artifact and role in ('viewer', 'editor', 'owner')
  ), open as (
    select a.*, organization_role in ('viewer', 'editor', 'owner') as everybody,
           lower(trim(split_part(v.media_type, ';', 1))) as media_type
      from artifacts a left join artifact_versions v on v.id = a.version_id
     where a.id = p_artifact and removed_at is null
  ), audience as (
    select 'user:' || user_id from open where user_id is not null
    union select 'team:' || team_id from open where team_id is not null
    union select 'everybody' from open where everybody
    union select case kind when 'person' then 'email:' else 'team:' end || grantee from given
    union select 'sharer:' || user_id from open
      where user_id is not null and (organization_role is not null or link_mode <> 'none' or exists (select from given))
    union select 'sharer:' || granted_by from given where granted_by is not null
    union select 'sharer:' || link_by from open where link_by is not null and link_mode <> 'none'
    union select 'sharer:' || organization_by from open where organization_by is not null and everybody
  )
  select audience.*, id, agent_id, interaction_id, user_id, media_type, created_at, lower(filename) from audience, open
$$;
-- Writes only what differs: an artifact may be given to a thousand people, one after the other.
create function keep_artifact_audience(p_artifact text) returns void language sql as $$
  delete from artifact_audience old where artifact_id = p_artifact
     and not exists (select from artifact_audience_of(p_artifact) listed where listed.audience = old.audience);
  insert into artifact_audience as old select * from artifact_audience_of(p_artifact)
    on conflict (audience, artifact_id) do update
       set agent_id = excluded.agent_id, interaction_id = excluded.interaction_id, user_id = excluded.user_id,
           media_type = excluded.media_type, created_at = excluded.created_at, name = excluded.name
     where (old.agent_id, old.interaction_id, old.user_id, old.media_type, old.created_at, old.name) is distinct from
           (excluded.agent_id, excluded.interaction_id, excluded.user_id, excluded.media_type, excluded.created_at,
            excluded.name);
$$;
create function artifacts_changed() returns trigger language plpgsql as $$
begin
  perform keep_artifact_audience(id) from changed;
  return null;
end $$;
create function artifact_parts_changed() returns trigger language plpgsql as $$
begin
  perform keep_artifact_audience(artifact_id) from (select distinct artifact_id from changed) one;
  return null;
end $$;
create trigger artifacts_made after insert on artifacts
  referencing new table as changed for each statement execute function artifacts_changed();
create trigger artifacts_changed after update on artifacts
  referencing new table as changed for each statement execute function artifacts_changed();
create trigger artifact_grants_made after insert on artifact_grants
  referencing new table as changed for each statement execute function artifact_parts_changed();
create trigger artifact_grants_changed after update on artifact_grants
  referencing new table as changed for each statement execute function artifact_parts_changed();
create trigger artifact_grants_removed after delete on artifact_grants
  referencing old table as changed for each statement execute function artifact_parts_changed();
create trigger artifact_versions_made after insert on artifact_versions
  referencing new table as changed for each statement execute function artifact_parts_changed();
create trigger artifact_versions_changed after update on artifact_versions
  referencing new table as changed for each statement execute function artifact_parts_changed();
insert into artifact_audience select listed.* from artifacts, artifact_audience_of(artifacts.id) listed;
`,
};
