/** Marks where a word was broken at the end of a line. */
const softHyphen = "\u00ad";

/**
 * Text in one form: line ends, composed letters, no control characters. A word that was broken over a line end is put
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
 * What is indexed of a text: as it is shown, and words that were broken once more with their hyphen.
 * @returns null where that is the text as it is shown
 */
export function indexedText(text: string): string | null {
  if (!text.includes(softHyphen)) return null;
  const words = text.match(/[\p{L}\p{M}\u00ad-]+/gu) ?? [];
  const broken = words.filter((word) => word.includes(softHyphen));
  return `${shownText(text)}\n${broken.map((word) => word.replaceAll(softHyphen, "-")).join("\n")}`;
}
