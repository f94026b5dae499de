import type { Migration } from "./index.ts";

/**
 * Every version of an agent is kept, however it came: made or changed through the interface, or taken over from a file of
 * the workspace. Who did it is written beside it by the one who knows; null: no person.
 */
export const agentHistory: Migration = {
  name: "0008_agent_history",
  sql: `
create function agent_content(agents) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'name', $1.name, 'model_name', $1.model_name, 'description', $1.description,
    'system_prompt', $1.system_prompt, 'tools', $1.tools, 'resources', $1.resources,
    'metadata', $1.metadata, 'is_active', $1.is_active, 'team_id', $1.team_id)
$$;

-- The fields that differ, in the order of the interface.
create function agent_changes(was jsonb, becomes jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(field order by place), '[]')
    from unnest(array['name', 'model_name', 'description', 'system_prompt', 'tools', 'resources', 'metadata',
                      'is_active', 'team_id']) with ordinality fields (field, place)
   where was -> field is distinct from becomes -> field
$$;

create function keep_agent_version() returns trigger language plpgsql as $$
begin
  insert into agent_versions (agent_id, version, content, changed, user_id, created_at)
  values (
    new.id, new.version, agent_content(new),
    case tg_op when 'UPDATE' then agent_changes(agent_content(old), agent_content(new)) else '[]' end,
    case tg_op when 'INSERT' then new.owner_id end,
    new.updated_at);
  return null;
end
$$;

insert into agent_versions (agent_id, version, content, changed, user_id, created_at)
select id, version, agent_content(agents), '[]', case version when 1 then owner_id end, updated_at from agents
    on conflict do nothing;

create trigger agent_made after insert on agents for each row execute function keep_agent_version();
create trigger agent_changed after update on agents for each row
  when (new.version is distinct from old.version) execute function keep_agent_version();
`,
};
