import type { Migration } from "./index.ts";

/**
 * What a new artifact costs while its database is young. A connection keeps the plan that it made first: of no rows all ways
 * look alike, and the one by the index of names, which reads every artifact to find one by its id, was kept until the table
 * was analyzed. The row is now taken by its id before anything else is asked of it, so that no other index fits. Where an
 * insert updates nothing the trigger for updates is called all the same, and has nothing to do. The labels of a name were
 * planned anew for each, which took longer than to make them.
 */
export const artifactPlans: Migration = {
  name: "0032_artifact_plans",
  sql: `
create or replace function artifact_audience_of(p_artifact text) returns setof artifact_audience language sql stable as $$
  with given as (
    select kind, grantee, granted_by from artifact_grants
     where artifact_id = p_artifact and role in ('viewer', 'editor', 'owner')
  ), one as materialized (
    select * from artifacts where id = p_artifact
  ), open as (
    select one.*, organization_role in ('viewer', 'editor', 'owner') as everybody,
           lower(trim(split_part(v.media_type, ';', 1))) as media_type
      from one left join artifact_versions v on v.id = one.version_id
     where removed_at is null
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

create or replace function artifacts_changed() returns trigger language plpgsql as $$
begin
  perform from changed limit 1;
  if not found then return null; end if;
  if tg_op = 'UPDATE' then
    delete from artifact_audience before using changed where before.artifact_id = changed.id
       and not exists (select from artifact_audience_of(changed.id) listed where listed.audience = before.audience);
  end if;
  insert into artifact_audience as before select listed.* from changed, artifact_audience_of(changed.id) listed
    on conflict (audience, artifact_id) do update
       set agent_id = excluded.agent_id, interaction_id = excluded.interaction_id, user_id = excluded.user_id,
           media_type = excluded.media_type, created_at = excluded.created_at, name = excluded.name
     where (before.agent_id, before.interaction_id, before.user_id, before.media_type, before.created_at, before.name)
           is distinct from (excluded.agent_id, excluded.interaction_id, excluded.user_id, excluded.media_type,
                             excluded.created_at, excluded.name);
  return null;
end $$;

alter function artifact_labels(text, text, text) set plan_cache_mode = force_generic_plan;
`,
};
