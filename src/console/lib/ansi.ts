import { shownText } from "./shownText.ts";

export type AnsiColour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** A stretch of text in one look. */
export interface Span {
  readonly text: string;
  readonly colour: AnsiColour | null;
  readonly bold: boolean;
}

const esc = "\u001b";
const colours: readonly (AnsiColour | null)[] = [
  null,
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  null,
];
/** CSI sequences, OSC sequences (links, clipboard, titles: never followed), and what else starts with escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is looked for
const sequences = /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*\u0007?|\u001b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The text without colour codes and other control characters; tabs stay, and what would turn its letters is a mark (C-08). */
export function plainText(text: string): string {
  const bare = text.includes(esc) ? text.replace(sequences, "") : text;
  return shownText(bare.replace(controls, ""));
}

/**
 * Splits a line at its colour codes (SGR): eight colours and bold. Every other escape sequence is left out, so a log can
 * neither link, nor write to the clipboard, nor hide text.
 */
export function readAnsi(text: string): readonly Span[] {
  if (!text.includes(esc)) return [{ text: plainText(text), colour: null, bold: false }];
  const spans: Span[] = [];
  let colour: AnsiColour | null = null;
  let bold = false;
  let from = 0;
  const push = (end: number) => {
    const part = plainText(text.slice(from, end));
    if (part !== "") spans.push({ text: part, colour, bold });
  };
  for (const match of text.matchAll(sequences)) {
    push(match.index);
    from = match.index + match[0].length;
    const [, codes = "", end] = match;
    // What is set with `<`, `=`, `>` or `?` is a terminal's own and no look.
    if (end === "m" && !/[<-?]/.test(codes)) ({ colour, bold } = applied(codes, colour, bold));
  }
  push(text.length);
  return spans;
}

function applied(codes: string, colour: AnsiColour | null, bold: boolean) {
  const numbers = codes.split(/[;:]/).map((code) => Number(code || 0));
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) [colour, bold] = [null, false];
    else if (code === 1) bold = true;
    else if (code === 22) bold = false;
    else if (code >= 30 && code <= 37) colour = colours[code - 30] ?? null;
    else if (code >= 90 && code <= 97) colour = colours[code - 90] ?? null;
    else if (code === 39) colour = null;
    else if (code === 38 || code === 48) at += numbers[at + 1] === 2 ? 4 : 2; // 256 colours and RGB: no role of ours
  }
  return { colour, bold };
}
