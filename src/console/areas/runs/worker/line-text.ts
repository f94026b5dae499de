const decoder = new TextDecoder();

/**
 * The text of one line from its JSON literal. Anything that is no string, or not quite one, is shown as it came.
 * Updates of the same line by carriage returns are folded to the last one; a time and node in front of them stay.
 */
export function lineText(literal: Uint8Array): string {
  const text = decoder.decode(literal);
  if (!text.startsWith('"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? foldReturns(parsed) : text;
  } catch {
    return text.slice(1, -1);
  }
}

const prefix = /^\d{4}-\d{2}-\d{2}[T ]\S+ (?:\[[^\]\r\n]{0,200}\] )?/;

/** What a terminal would show of a line that was written over again and again. */
export function foldReturns(text: string): string {
  if (!text.includes("\r")) return text;
  const whole = text.replace(/[\r\n]+$/, "");
  const cut = whole.lastIndexOf("\r");
  if (cut < 0) return whole;
  const last = whole.slice(cut + 1);
  // Line feeds mean that the carriage return was only half of a line's end.
  if (last.startsWith("\n")) return whole;
  const kept = prefix.exec(whole)?.[0] ?? "";
  return prefix.test(last) ? last : kept + last;
}
