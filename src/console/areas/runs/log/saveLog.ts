import { saveBlob } from "../../../lib/saveBlob.ts";
import type { RunLog } from "../worker/run-log.ts";
import { readText } from "./log-text.ts";

/** Saves the whole log as a text file, one line each; carriage returns are folded to the last. */
export async function saveLog(log: RunLog, name: string): Promise<void> {
  const parts = await readText(log, 0, log.length);
  saveBlob(new Blob(parts, { type: "text/plain;charset=utf-8" }), `${name}.log`);
}
