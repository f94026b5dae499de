import type { ClipboardEvent } from "react";
import type { RunLog } from "../worker/run-log.ts";
import type { LineRange } from "./line-range.ts";
import { mostCopied } from "./log-text.ts";

/** Lines that are copied within the event itself, which browsers allow everywhere; more are made piece by piece. */
const atOnce = 20_000;

/**
 * What the browser's own copy takes: a selection within one line as it is; one over several lines as whole lines, without
 * numbers and times in columns; without a selection the chosen lines.
 */
export function copyEvent(
  event: ClipboardEvent,
  chosen: LineRange | undefined,
  log: RunLog,
  copy: (range: LineRange) => Promise<void>,
): void {
  const range = selectedLines(document.getSelection()) ?? (isNothingSelected() ? chosen : undefined);
  if (!range) return;
  event.preventDefault();
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
