import { createEraser } from "./agents/erase-conversations.ts";
import { createAuditRetention } from "./audit/seal.ts";
import type { Context } from "./context.ts";
import type { FolderMark } from "./files/folder-mark.ts";
import { purgeDeleted } from "./files/purge-deleted.ts";
import { createFileSweeper } from "./files/sweep-files.ts";
import { createOauthSweep } from "./oauth/sweep.ts";
import type { Recurring } from "./recurring.ts";
import { createRetention } from "./retention/retention.ts";
import { createIndexer } from "./search/indexer.ts";
import { createAnalyzer } from "./store/analyze-grown.ts";

interface BackgroundParts {
  readonly mark: FolderMark;
  /** For how many days entries of the audit log are kept; null: for ever. */
  readonly auditDays: number | null;
  /** Null: no traces are exported. */
  readonly traces: Recurring | null;
}

/** What a process that works does now and then beside requests and executions: removes, indexes, exports. */
export function createBackground(context: Context, { mark, auditDays, traces }: BackgroundParts): Recurring {
  const all: readonly Recurring[] = [
    mark,
    createFileSweeper(context, async (signal) => {
      await mark.settled(signal);
      return purgeDeleted(context, signal);
    }),
    createEraser(context),
    ...(context.canSearch ? [createIndexer(context)] : []),
    createRetention(context),
    createAuditRetention(context, auditDays),
    createOauthSweep(context),
    createAnalyzer(context),
    ...(traces === null ? [] : [traces]),
  ];
  return {
    start() {
      for (const one of all) one.start();
    },
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}
