import { getDeletion, getRetention } from "../../../contract/retention.ts";
import type { DataOf } from "../../api/client.ts";
import { readOptions } from "../../api/read.ts";
import { useApi, useCan } from "../api.tsx";
import { useRead } from "../paging/useRead.ts";
import { usePreferences } from "../preferences/preferences.tsx";
import { parseTime } from "../time/format.ts";
import { formatDate } from "../time/format-day.ts";
import { counted } from "../words.ts";

type Rules = NonNullable<DataOf<typeof getRetention>["rules"]>;

/** What is deleted by itself after a time. */
export type Expiring = "runs" | "conversations";

/** Rules change with a start of the service alone. */
const staleTime = 10 * 60_000;

/**
 * After which time the service deletes runs or conversations, as sentences; null where it deletes none, or does not say.
 * @param enabled whether anybody reads them
 */
export function useDeletionWords(what: Expiring, enabled: boolean): string | null {
  const api = useApi();
  const isAsked = useCan("retention") && enabled;
  const query = { preview: false };
  const { data } = useRead(readOptions(api, getRetention, { query }, { enabled: isAsked, staleTime }));
  return isAsked && data ? deletionWords(data.data.rules ?? [], what) : null;
}

/**
 * When something that is not found was deleted, and by what, as a sentence: "This run was deleted on 3 Nov 2026 by the retention
 * rule of 30 days."; null where the service does not know, or this key could not have seen it.
 * @param enabled whether it was not found
 */
export function useDeletedWords(what: string, id: string, enabled = true): string | null {
  const api = useApi();
  const { zone } = usePreferences();
  const isAsked = useCan("deletions") && enabled;
  const { data } = useRead(
    readOptions(api, getDeletion, { params: { id } }, { enabled: isAsked, staleTime }),
  );
  const deletion = isAsked ? data?.data : undefined;
  const at = parseTime(deletion?.deleted_ts);
  if (deletion === undefined || at === null) return null;
  const { deleted_by, rule_days: days } = deletion;
  const rule = `by the retention rule${days == null ? "" : ` of ${counted(days, "day")}`}`;
  return `This ${what} was deleted on ${formatDate(at, { zone })}${deleted_by === "retention" ? ` ${rule}` : ""}.`;
}

/** "Runs are deleted 90 days after they end, failed runs after 30 days."; null where nothing of it is ever deleted. */
export function deletionWords(rules: Rules, what: Expiring): string | null {
  const kinds = what === "runs" ? ["runs", "failed_runs"] : ["conversations"];
  const ours = rules.filter((rule) => rule?.kind != null && kinds.includes(rule.kind));
  const daysOf = (kind: string) => {
    const days = ours.find((rule) => rule?.kind === kind && rule.project_id == null)?.days;
    return days == null ? null : counted(days, "day");
  };
  const isException = ours.some((rule) => rule?.project_id != null);
  const forAll = what === "runs" ? runWords(daysOf("runs"), daysOf("failed_runs")) : talkWords(daysOf(what));
  if (forAll === null) {
    return isException ? `Some teams delete ${what} after a time.` : null;
  }
  return isException ? `${forAll} Some teams have other times.` : forAll;
}

function runWords(runs: string | null, failed: string | null): string | null {
  if (runs === null) return failed && `Failed runs are deleted ${failed} after they end.`;
  const all = `Runs are deleted ${runs} after they end`;
  if (failed === runs) return `${all}.`;
  return failed === null ? `${all}, unless they failed.` : `${all}, failed runs after ${failed}.`;
}

const talkWords = (days: string | null) =>
  days && `Conversations are deleted ${days} after their last message.`;
