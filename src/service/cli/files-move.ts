import { recordCommand } from "../audit/record.ts";
import { createThrottle } from "../backup/throttle.ts";
import type { Config } from "../config.ts";
import { countText } from "../count-text.ts";
import { FilesError } from "../files/files-error.ts";
import { createFolderMark, databaseName } from "../files/folder-mark.ts";
import { type Moved, moveFiles, refusalOfPlace } from "../files/move-files.ts";
import { openPlace, placeText, preparePlace } from "../files/open-files.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { FilesMove } from "./parse-files.ts";
import { createProgress, rounded, sizeText, standardError } from "./progress.ts";
import { stopOnSignals } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse files move --to PLACE`, beside running services: copies what the database names, and says what to set then.
 * @returns the exit code: 1 where it did not get to its end, and may be begun again; 3 where it did, without some files
 */
export async function filesMove(
  config: Config,
  { to, toText, verify, rate, json }: FilesMove,
  { log }: OpenedLog,
  terminal: Terminal,
): Promise<number> {
  const stopping = new AbortController();
  const stopped = new Error("Stopped. Begin again to go on: what is there is not copied again.");
  void stopOnSignals(log).asked.then(() => stopping.abort(stopped));
  const { signal } = stopping;
  const progress = createProgress(standardError);
  const begun = performance.now();
  const store = await openInstallation(config, { log });
  try {
    const [source, target] = [openPlace(config.filesAt), openPlace(to)];
    const name = await databaseName(store, config);
    const refusal = await preparePlace(to, "--to", async (files) => {
      const found = await refusalOfPlace(files, store);
      if (found !== null) return found;
      const mark = createFolderMark({ ...{ store, files, log, name, settleMs: 0 } });
      await mark.look();
      return (await mark.isOurs()) ? null : "files of another database lie there";
    });
    if (refusal !== null)
      throw new FilesError(
        "refused",
        `${placeText(to)} cannot be used: ${refusal}`,
        "Name an empty place with --to",
      );
    await recordCommand(store.db, {
      action: "files.move",
      object: { kind: "installation", id: null, name: placeText(to) },
    });
    const moved = await moveFiles({
      ...{ store, from: source, to: target, verify, signal, throttle: createThrottle(rate, signal) },
      onProgress: (now) => progress.report({ doing: "files", ...now }),
    });
    progress.end();
    const seconds = (performance.now() - begun) / 1_000;
    return say(moved, { old: placeText(config.filesAt), now: toText }, { json, seconds }, terminal);
  } catch (error) {
    progress.end();
    const known = signal.aborted ? stopped : error instanceof FilesError ? error : null;
    if (known === null) throw error;
    if (json) terminal.print(JSON.stringify({ ok: false, message: known.message }));
    terminal.complain(known.message);
    return 1;
  } finally {
    await store.close();
  }
}

function say(
  { copied, bytes, there, missing, different }: Moved,
  { old, now }: { readonly old: string; readonly now: string },
  { json, seconds }: { readonly json: boolean; readonly seconds: number },
  { print, complain }: Terminal,
): number {
  const isWhole = missing.count + different.count === 0;
  if (json) {
    const counts = { copied, bytes, there, missing_files: missing.count, different_files: different.count };
    print(JSON.stringify({ ok: isWhole, ...counts, seconds: rounded(seconds) }));
  }
  const line = json ? complain : print;
  line(
    `Copied ${countText(copied, "file")}, ${sizeText(bytes)}, to ${now}; ${there} there already. ${seconds.toFixed(1)} s.`,
  );
  if (missing.count > 0)
    complain(
      `${countText(missing.count, "file")} that the database names: not in ${old}, or damaged there: ${listed(missing)}`,
    );
  if (different.count > 0)
    complain(
      `${countText(different.count, "file")} of the same length, but not the same, in both places: ${listed(different)}. Remove the wrong one and run this again.`,
    );
  if (!isWhole) return 3;
  if (copied > 0) {
    line(`Now let all processes start with: --files ${now} --files-also ${old}`);
    line("Then run this command once more, for what was written until then.");
  } else {
    line(`All that the database names is there. Where all processes run with --files ${now},`);
    line(`--files-also can go. Nothing was removed from ${old}: remove it when you need it no more.`);
  }
  return 0;
}

const listed = ({ count, ids }: Moved["missing"]) => ids.join(", ") + (count > ids.length ? ", …" : "");
