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

/** Hears one text, which may come in pieces that end with words. */
export interface WordListener {
  hear(piece: string): void;
  /** What was heard so far. */
  readonly heard: ReadonlySet<string>;
}

/**
 * Finds which of the words or phrases a text holds, as whole words: neither case, accents' encoding, punctuation nor
 * invisible characters make a difference. In scripts without spaces between words a part of the text is enough. All are
 * looked for at once: a text takes time in proportion to its length, however many there are and whatever stands in them.
 * @returns makes a listener for each text
 */
export function createWordMatcher(words: Iterable<string>): () => WordListener {
  const tree = createTree();
  for (const word of words) {
    const wanted = searchable(word);
    tree.add(unspaced.test(word) ? wanted.trim() : wanted, word);
  }
  tree.link();
  return () => {
    const walk = tree.walk();
    walk.go(" ");
    return {
      heard: walk.found,
      hear(piece) {
        const said = searchable(piece).trim();
        if (said !== "") walk.go(`${said} `);
      },
    };
  };
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A place in the tree of all that is looked for: what was read so far begins one or more of them. */
interface TreePlace {
  readonly next: Map<string, TreePlace>;
  /** What ends here. */
  readonly words: string[];
  /** The place of the longest end of what was read that begins something as well; null: at the root. */
  shorter: TreePlace | null;
  /** The nearest of those where something ends. */
  ending: TreePlace | null;
}

/** By Aho and Corasick: one pass over a text finds all of many words. */
function createTree() {
  const make = (): TreePlace => ({ next: new Map(), words: [], shorter: null, ending: null });
  const root = make();

  const step = (from: TreePlace, letter: string): TreePlace => {
    for (let place: TreePlace | null = from; place !== null; place = place.shorter) {
      const next = place.next.get(letter);
      if (next !== undefined) return next;
    }
    return root;
  };

  return {
    add(text: string, word: string): void {
      let place = root;
      for (const letter of letters(text)) {
        const next = place.next.get(letter) ?? make();
        place.next.set(letter, next);
        place = next;
      }
      place.words.push(word);
    },
    /** After the last word was added. */
    link(): void {
      let level = [root];
      while (level.length > 0) {
        const deeper: TreePlace[] = [];
        for (const place of level) {
          for (const [letter, next] of place.next) {
            const shorter = place.shorter === null ? root : step(place.shorter, letter);
            next.shorter = shorter;
            next.ending = shorter.words.length > 0 ? shorter : shorter.ending;
            deeper.push(next);
          }
        }
        level = deeper;
      }
    },
    /** Through one text, piece by piece. */
    walk() {
      const found = new Set<string>();
      const seen = new Set<TreePlace>();
      let place = root;
      return {
        found,
        go(text: string): void {
          for (const letter of letters(text)) {
            place = step(place, letter);
            const ends = place.words.length > 0 ? place : place.ending;
            for (let each = ends; each !== null && !seen.has(each); each = each.ending) {
              seen.add(each);
              for (const word of each.words) found.add(word);
            }
          }
        },
      };
    },
  };
}

function* letters(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at++) yield text.charAt(at);
}

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
