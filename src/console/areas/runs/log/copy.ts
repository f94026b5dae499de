import { type ClipboardEvent, useCallback } from "react";
import { saveBlob } from "../../../lib/files.ts";
import { counted } from "../../../lib/words.ts";
import { copyText } from "../../../ui/CopyButton.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import type { LineRange } from "../search.ts";
import type { RunLog } from "../worker/run-log.ts";
import type { LogView } from "./log-view.ts";

/** Lines in a piece: a few ms, so that the page goes on meanwhile. */
const piece = 10_000;
/** What a clipboard is given at most; a longer log is for the download. */
const mostCopied = 200_000;

/** Text of lines (0-based, `to` not included), made piece by piece between other work. */
async function readText(log: RunLog, from: number, to: number): Promise<string[]> {
  const parts: string[] = [];
  for (let at = from; at < Math.min(to, log.length); at += piece) {
    if (at > from) await new Promise((resolve) => setTimeout(resolve));
    parts.push(`${log.getLines(at, Math.min(piece, to - at)).join("\n")}\n`);
  }
  return parts;
}

/** Copies lines of a log (1-based), on the screen or not, and says how many. */
export function useCopyLines(log: RunLog): (range: LineRange) => Promise<void> {
  const toaster = useToast();
  return useCallback(
    async ({ from, to }) => {
      const count = Math.min(to, log.length) - from + 1;
      const failed = (detail: string) =>
        toaster.show({ tone: "failed", title: "The lines could not be copied", detail });
      if (count > mostCopied) {
        failed("Too many lines for the clipboard. Download the log instead.");
        return;
      }
      const text = (await readText(log, from - 1, to)).join("").slice(0, -1);
      if (!(await copyText(text))) failed("Download the log instead.");
      else toaster.show({ tone: "done", title: `Copied ${counted(count, "line")}` });
    },
    [log, toaster],
  );
}

/** Lines that are copied within the event itself, which browsers allow everywhere; more are made piece by piece. */
const atOnce = 20_000;

/**
 * What the browser's own copy takes: a selection within one line as it is; one over several lines as whole lines, without
 * numbers and times in columns, and without those that are not shown; without a selection the chosen lines.
 */
export function copyEvent(
  event: ClipboardEvent,
  chosen: LineRange | undefined,
  log: RunLog,
  view: LogView,
  copy: (range: LineRange) => Promise<void>,
): void {
  const marked = selectedLines(document.getSelection());
  const range = marked ?? (isNothingSelected() ? chosen : undefined);
  if (!range) return;
  event.preventDefault();
  const [first, last] = [view.rowOf(range.from - 1), view.rowOf(range.to - 1)];
  if (marked && last - first < range.to - range.from) {
    const rows = Array.from({ length: Math.min(last - first + 1, mostCopied) }, (_, at) => first + at);
    const lines = rows.flatMap((row) => log.getLines(view.lineAt(row), 1));
    event.clipboardData.setData("text/plain", lines.join("\n"));
    return;
  }
  const count = range.to - range.from + 1;
  if (count > Math.min(atOnce, mostCopied)) void copy(range);
  else event.clipboardData.setData("text/plain", log.getLines(range.from - 1, count).join("\n"));
}

const isNothingSelected = () => document.getSelection()?.isCollapsed ?? true;

/** The lines over which a selection goes; undefined for none, or for a part of one. */
function selectedLines(selection: Selection | null): LineRange | undefined {
  if (!selection || selection.isCollapsed) return undefined;
  const one = lineOf(selection.anchorNode);
  const other = lineOf(selection.focusNode);
  if (one === undefined || other === undefined || one === other) return undefined;
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

function lineOf(node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const number = element?.closest<HTMLElement>("[data-line]")?.dataset.line;
  return number === undefined ? undefined : Number(number);
}

/** Saves the whole log as a text file, one line each; carriage returns are folded to the last. */
export async function saveLog(log: RunLog, name: string): Promise<void> {
  const parts = await readText(log, 0, log.length);
  saveBlob(new Blob(parts, { type: "text/plain;charset=utf-8" }), `${name}.log`);
}
