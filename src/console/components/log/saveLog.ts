import type { RunLog } from "../../workers/run-log.ts";
import { saveBlob } from "../saveBlob.ts";

const piece = 20_000;

/** Saves the whole log, as the service wrote it, as a text file. */
export function saveLog(log: RunLog, name: string): void {
  const parts: string[] = [];
  for (let from = 0; from < log.length; from += piece) {
    parts.push(log.getLines(from, piece).join("\n"), "\n");
  }
  saveBlob(new Blob(parts, { type: "text/plain;charset=utf-8" }), `${name}.log`);
}
