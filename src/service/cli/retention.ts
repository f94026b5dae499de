import { shownChange } from "../audit/changes.ts";
import { recordCommand } from "../audit/record.ts";
import type { Config } from "../config.ts";
import { createFolderMark, databaseName, markedFiles } from "../files/folder-mark.ts";
import { openFiles } from "../files/open-files.ts";
import { type Preview, previewRetention } from "../retention/preview.ts";
import { countOf, removeExpired } from "../retention/remove-expired.ts";
import { deletesAny, readRules, retentionKinds } from "../retention/rules.ts";
import { compactTables, freeSpace } from "../retention/space.ts";
import { openWorkspace } from "../workspace/check.ts";
import { WorkspaceError } from "../workspace/problem.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { RetentionAction } from "./parse-command.ts";
import { abortOnSignals } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse retention`, beside a running service or without one: by the rules of the workspace's file as it is now.
 * @returns the exit code; 1 for a workspace that cannot be read, and where it was stopped before its end
 */
export async function retention(
  config: Config,
  action: RetentionAction,
  { log }: OpenedLog,
  { print, complain }: Terminal,
): Promise<number> {
  let rules: ReturnType<typeof readRules>;
  let hasAudit = false;
  try {
    const { retention: written } = (await openWorkspace(config.workspaceDirectory)).settings;
    rules = readRules(written);
    hasAudit = written.audit !== undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    complain(error.message);
    return 1;
  }
  if (!deletesAny(rules)) {
    print(
      hasAudit
        ? "Only the audit log has a time, and the service removes what is older by itself."
        : "Nothing is ever deleted: wheelhouse.yaml has no retention.",
    );
    if (action !== "compact") return 0;
  }
  const store = await openInstallation(config, { log });
  try {
    if (action === "preview") {
      for (const line of previewLines(await previewRetention(store, rules))) print(line);
      return 0;
    }
    const signal = abortOnSignals(log);
    const folder = openFiles(config);
    const name = await databaseName(store, config);
    const files = markedFiles(
      folder,
      createFolderMark({ store, files: folder, log, name, settleMs: 0 }),
      store,
    );
    const options = { signal, gentle: true, waits: true };
    const removed = await removeExpired({ store, files, retention: rules }, options);
    if (removed === null)
      throw new Error("Another process has the lock of retention, although this one waits");
    const { runs, conversations, run_files, search_index } = removed;
    await recordCommand(store.db, {
      action: "retention.delete",
      object: { kind: "installation", id: null },
      changes: Object.entries(removed).map(([kind, count]) => shownChange(kind, count, 0)),
    });
    print(
      `Deleted ${runs} runs, ${conversations} conversations, ${run_files} run files and ${search_index} search entries.`,
    );
    const sizes =
      action === "compact"
        ? await compactTables(store, signal)
        : await freeSpace(store, signal, countOf(removed));
    if (signal.aborted) {
      complain("Stopped. Begin again to go on.");
      return 1;
    }
    const sum = (which: "before" | "after") => sizes.reduce((total, size) => total + size[which], 0);
    print(`The tables took ${megabytes(sum("before"))} and take ${megabytes(sum("after"))} now.`);
    return 0;
  } finally {
    await store.close();
  }
}

/** A line for each kind and team, in columns. */
function previewLines(previews: readonly Preview[]): string[] {
  if (previews.length === 0) return ["Nothing would go now."];
  const ordered = retentionKinds.flatMap((kind) => previews.filter((one) => one.kind === kind));
  const rows = ordered.map(({ kind, teamId, count, bytes, oldest }) => [
    kind,
    teamId ?? "no team",
    String(count),
    megabytes(bytes),
    `oldest ${oldest.toISOString().slice(0, 10)}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join("  "));
}

const pad = (cell: string, column: number, width: number) =>
  column === 2 || column === 3 ? cell.padStart(width) : cell.padEnd(width);

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
