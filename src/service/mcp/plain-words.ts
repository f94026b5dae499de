/**
 * A stranger's words as a person may read them: without characters that are not seen or that turn the reading direction, no
 * longer than this many characters. Line breaks stay.
 */
export function plainWords(text: string, length: number): string {
  // Cut first: there is no bound to what a stranger sends.
  const seen = text.slice(0, length * 4).replaceAll(/[^\P{C}\n\t]/gu, "");
  const characters = [...seen];
  return characters.length <= length ? seen : `${characters.slice(0, length - 1).join("")}…`;
}
