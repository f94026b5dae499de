/** Marks where a word was broken at the end of a line. */
const softHyphen = "\u00ad";

/**
 * Text in one form: line ends, composed letters, no control characters, no hundreds of blanks in a row. A word that was broken over a line end is put
 * together again; as nobody knows whether its hyphen was its own, a soft hyphen marks the place.
 */
export function normalText(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replaceAll(/[\u0000-\u0008\u000b\u000e-\u001f\u007f\u200b\ufeff\ufffe\uffff]/g, "")
      .replaceAll("\f", "\n\n")
      .replaceAll(/(\p{L})[-\u2010\u00ad][ \t]*\n[ \t]*(?=\p{Ll})/gu, `$1${softHyphen}`)
      // Longer than any table needs them: they would be paid for, and be passages of nothing.
      .replaceAll(/(?<!\s)\s{200}\s*/g, (blanks) => (blanks.includes("\n") ? "\n\n" : " "))
      .normalize("NFC")
  );
}

/** Lines of a paragraph as one line: where the lines of a printed page end means nothing. */
export function joinLines(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => line.trim())
        .join(" "),
    )
    .join("\n\n");
}

/** The text as people see it. */
export function shownText(text: string): string {
  return text.replaceAll(softHyphen, "");
}

/**
 * What is indexed of a text: as it is shown, words that were broken once more with their hyphen, and what has no spaces between
 * its words once more in pairs of letters.
 * @returns null where that is the text as it is shown
 */
export function indexedText(text: string): string | null {
  const shown = shownText(text);
  const runs = unspacedIn(shown);
  if (runs.length === 0 && shown === text) return null;
  const words = text.match(/[\p{L}\p{M}\u00ad-]+/gu) ?? [];
  const broken = words.filter((word) => word.includes(softHyphen));
  return [
    ...[shown, ...broken.map((word) => word.replaceAll(softHyphen, "-"))],
    ...runs.map((run) => pairsOf(run).join(" ")),
    [...new Set(runs.join(""))].join(" "),
  ].join("\n");
}

/** Letters of scripts that write no space between words: no index knows where one ends. */
const unspaced =
  /(?:(?=[\p{L}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])+/gu;

/** A question as what has no spaces is indexed; null where it is the question as it is. */
export function pairedQuestion(question: string): string | null {
  const paired = question.replaceAll(unspaced, (run, at: number) => {
    // Within quotes words stand together anyway.
    const quote = question.slice(0, at).split('"').length % 2 === 0 ? "" : '"';
    const before = question[at - 1] === "-" ? "" : " ";
    return `${before}${quote}${pairsOf(run).join(" ")}${quote} `;
  });
  return paired === question ? null : paired;
}

/** What has no spaces between its words in a text. */
export const unspacedIn = (text: string): readonly string[] => text.match(unspaced) ?? [];

/** Each letter with the next one; one that is alone as it is. */
function pairsOf(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((next, at) => `${letters[at]}${next}`);
}
