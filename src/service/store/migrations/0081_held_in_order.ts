import type { Migration } from "./index.ts";

/**
 * What is told that it has to wait is told so by the clock of whoever looked for work, which may be behind what the log says
 * already, as after the database's clock was turned back. The line is then dated as the one above it, as all others are.
 */
export const heldInOrder: Migration = {
  name: "0081_held_in_order",
  sql: `
create or replace function tell_held(p_key text, p_all boolean, p_placed text[], p_limit integer, p_line text) returns void
language plpgsql as $$
declare
  v_line text := format(p_line,
    case p_limit when 1 then '1 run or conversation' else p_limit || ' runs and conversations' end,
    case when p_key like 'team:%' then 'team' else 'person' end,
    case p_limit when 1 then 'is' else 'are' end, case p_limit when 1 then 'it' else 'one of them' end);
begin
  with untold as (
    select id from executions
     where limit_key = p_key and state = 'queued' and held_at is null and queued_at <= now()
       and (p_all or (parent_id is null and started_at is null and kind = any (p_placed)))
     order by queued_at limit 1000 for no key update skip locked
  ), held as (
    update executions set held_at = now(), log_count = log_count + 1, log_bytes = log_bytes + octet_length(v_line),
           revision = revision + 1
      from untold where executions.id = untold.id returning executions.id, log_count
  )
  insert into log_lines (execution_id, seq, text)
  select held.id, held.log_count,
         case when last.stamp ~ '^[0-9]{4}-.*Z$' and v_line ~ '^[0-9]{4}-.{18}Z'
                   and last.stamp collate "C" > left(v_line, 24)
              then last.stamp || substr(v_line, 25) else v_line end
    from held left join lateral (
      select left(substring(text from '[^\\n]*$'), 24) as stamp from log_lines
       where execution_id = held.id order by seq desc limit 1
    ) last on true;
end
$$;
`,
};
