import { type LogLine, readLine } from "./line.ts";

/** How many of the first lines may tell: a run that has not begun has hardly any. */
export const waitingLines = 20;

/** Whether a line is the service's own word that the run waits, and no node's. */
export function isWaiting({ node, text }: LogLine): boolean {
  return node === "run" && text.startsWith("waiting: ");
}

/**
 * Why a run that has not begun still waits, as the service says it in the run's log.
 * @param lines the first ones, `waitingLines` are enough
 * @returns the newest reason as a sentence, null where no line gives one
 */
export function waitingReason(lines: readonly string[]): string | null {
  const said = lines.map(readLine).findLast(isWaiting);
  if (said === undefined) return null;
  return `${said.text.charAt(0).toUpperCase()}${said.text.slice(1)}.`;
}
