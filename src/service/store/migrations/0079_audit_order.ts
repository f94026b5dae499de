import type { Migration } from "./index.ts";

/**
 * The audit log's indexes, in the order in which entries come: those that began with the newest were split in halves by each
 * that came, and half empty. Lists read them backwards.
 */
export const auditOrder: Migration = {
  name: "0079_audit_order",
  sql: `
drop index audit_log_at, audit_log_user, audit_log_team, audit_log_action, audit_log_object;
create index audit_log_at on audit_log (at, position);
create index audit_log_user on audit_log (user_id, at, position) where user_id is not null;
create index audit_log_team on audit_log (team_id, at, position) where team_id is not null;
create index audit_log_action on audit_log (action, at, position);
create index audit_log_object on audit_log (object_kind, object_id, at, position);
`,
};
