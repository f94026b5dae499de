import type { RunLog } from "../worker/run-log.ts";

/** Lines in a piece: a few ms, so that the page goes on meanwhile. */
const piece = 10_000;
/** What a clipboard is given at most; a longer log is for the download. */
export const mostCopied = 200_000;

/** Text of lines (0-based, `to` not included), made piece by piece between other work. */
export async function readText(log: RunLog, from: number, to: number): Promise<string[]> {
  const parts: string[] = [];
  for (let at = from; at < Math.min(to, log.length); at += piece) {
    if (at > from) await new Promise((resolve) => setTimeout(resolve));
    parts.push(`${log.getLines(at, Math.min(piece, to - at)).join("\n")}\n`);
  }
  return parts;
}
