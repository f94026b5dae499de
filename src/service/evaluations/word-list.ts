/** More words than this make a sentence, which only a model can judge. */
const wordsOfItem = 4;
const charactersOfItem = 80;

/**
 * The words and phrases that a `prohibited_words` criterion names: a list divided by commas, semicolons or lines, or
 * what stands in double quotes of any text.
 * @returns null where the prompt is no list: then it needs judgement
 */
export function readWordList(prompt: string): readonly string[] | null {
  const quoted = [...prompt.matchAll(/["“”„«»]([^"“”„«»]{1,200})["“”„«»]/g)].map((match) => match[1] ?? "");
  const items = quoted.length > 0 ? quoted : prompt.split(/[,;\n]/).map(withoutBullet);
  const words = items.map((item) => item.trim()).filter((item) => searchable(item).trim() !== "");
  if (words.length === 0) return null;
  const isList = words.every(
    (item) => item.length <= charactersOfItem && (quoted.length > 0 || countWords(item) <= wordsOfItem),
  );
  return isList ? [...new Set(words)] : null;
}

/**
 * Which of the words or phrases a text holds, as whole words: neither case, accents' encoding, punctuation nor invisible
 * characters make a difference. In scripts without spaces between words a part of the text is enough. Takes time in
 * proportion to text and list, whatever stands in them.
 */
export function findWords(text: string, words: readonly string[]): readonly string[] {
  const within = searchable(text);
  return words.filter((word) => {
    const wanted = searchable(word);
    return unspaced.test(word) ? within.includes(wanted.trim()) : within.includes(wanted);
  });
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words in one form, each with a space on both sides. */
function searchable(text: string): string {
  const visible = text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  const words = visible
    .toUpperCase()
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return ` ${(words ?? []).join(" ")} `;
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

function withoutBullet(item: string): string {
  return item.trim().replace(/^[-*•]\s+/, "");
}
