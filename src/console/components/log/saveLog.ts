import { saveBlob } from "../saveBlob.ts";
import type { LogSource } from "./source.ts";

const piece = 20_000;

/** Saves the whole log, as the service wrote it, as a text file. */
export function saveLog(source: LogSource, name: string): void {
  const parts: string[] = [];
  for (let from = 0; from < source.length; from += piece) {
    parts.push(source.getLines(from, piece).join("\n"), "\n");
  }
  saveBlob(new Blob(parts, { type: "text/plain;charset=utf-8" }), `${name}.log`);
}
