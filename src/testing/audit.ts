import { sql } from "kysely";
import { auditKey } from "../service/audit/chain.ts";
import { readEntry, type StoredEntry } from "../service/audit/entry.ts";
import { sealPending } from "../service/audit/seal.ts";
import type { Context } from "../service/context.ts";
import { until } from "./until.ts";

/** All entries of the audit log, sealed or not, in the order in which they came. */
export async function auditEntries({ store }: Pick<Context, "store">): Promise<StoredEntry[]> {
  const { rows } = await sql<{ entry: string }>`
    select entry::text as entry from (
      select 0 as part, position as place, entry from audit_log
      union all select 1, id, entry from audit_pending) one order by part, place`.execute(store.db);
  return rows.map(({ entry }) => readEntry(entry));
}

/** Of one kind of action. */
export async function auditOf(context: Pick<Context, "store">, action: StoredEntry["action"]) {
  return (await auditEntries(context)).filter((entry) => entry.action === action);
}

/** Gives all that was recorded its place, as the service does a moment later, so that lists have it. */
export async function sealAll({ store, signer }: Pick<Context, "store" | "signer">): Promise<void> {
  const key = auditKey(signer);
  // Null: the service is at it itself.
  await until("the audit log to be sealed", async () => (await sealPending(store, key)) === 0);
}
