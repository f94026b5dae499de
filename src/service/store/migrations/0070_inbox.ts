import type { Migration } from "./index.ts";

/**
 * The inbox in the order of what it has cost, and with the knowledge sources that wait for an approval. What a question holds up
 * is added up once, when it is asked: the turn that asks spends nothing while it waits, so that pages stay in order.
 */
export const inbox: Migration = {
  name: "0070_inbox",
  sql: `
-- Tokens of all conversations in the tree of what asks.
alter table approvals add column tokens bigint not null default 0;
alter table approval_people add column tokens bigint not null default 0;

-- After the statement, so that the answer of the model which led to the question is counted.
create function approvals_tokens() returns trigger language plpgsql as $$
declare spent bigint;
begin
  select coalesce(sum(interactions.input_tokens + interactions.output_tokens), 0) into spent
    from interactions where interactions.id = any(array(
      with root as (select root_id from executions where id = new.execution_id)
      (select subject_id from executions, root where executions.id = root.root_id
       union select subject_id from executions, root
              where executions.root_id = root.root_id and executions.parent_id is not null and kind = 'turn')
      limit 1000));
  if spent > 0 then
    update approvals set tokens = spent where id = new.id;
    update approval_people set tokens = spent where approval_id = new.id;
  end if;
  return null;
end $$;
create trigger approvals_tokens after insert on approvals for each row execute function approvals_tokens();

create index approvals_dearest_user on approvals (user_id, (-tokens), asked_at, id) where state = 'waiting';
create index approvals_dearest_team on approvals (team_id, (-tokens), asked_at, id) where state = 'waiting';
create index approvals_dearest_person on approvals (user_id, (-tokens), asked_at, id) where state = 'waiting' and who = 'person';
create index approvals_dearest_operators on approvals (team_id, (-tokens), asked_at, id)
  where state = 'waiting' and who = 'operators';
create index approval_people_dearest on approval_people (user_id, (-tokens), asked_at, approval_id) where ended_at is null;

-- Sources, by who may approve or see them. Drafts are few: other orders sort them.
create index sources_waiting_maker on knowledge_sources (created_by_user_id, created_at, id)
  where status = 'draft' and deleted_at is null and (scope <> 'team' or team_id is null);
create index sources_waiting_team on knowledge_sources (team_id, created_at, id)
  where status = 'draft' and deleted_at is null and scope = 'team';
create index sources_waiting_organization on knowledge_sources (created_at, id)
  where status = 'draft' and deleted_at is null and scope = 'organization';
create index sources_approved_maker on knowledge_sources (created_by_user_id, approved_at desc, id desc)
  where approved_at is not null and deleted_at is null and (scope <> 'team' or team_id is null);
create index sources_approved_team on knowledge_sources (team_id, approved_at desc, id desc)
  where approved_at is not null and deleted_at is null and scope = 'team';
create index sources_approved_organization on knowledge_sources (approved_at desc, id desc)
  where approved_at is not null and deleted_at is null and scope = 'organization';
`,
};
