/**
 * How texts are compared: without regard to case in any script, and whether marks are letters of their own or part of one.
 * It is done here and not by the database, as what the database takes for a letter differs by version and locale.
 */

/** A letter with its marks, or signs of which one syllable is made. */
const clusters = /[\u1100-\u11FF]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu;
const ascii = /^\p{ASCII}*$/u;

/** ß as SS, ſ as S, every sigma alike, and the four letters i of Turkish as one. */
function foldCluster(cluster: string): string {
  let folded = "";
  // Letter by letter: the small sigma depends on what stands beside it.
  for (const letter of cluster.normalize("NFC")) {
    folded += letter.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded.normalize("NFC").replaceAll("i\u0307", "i");
}

/** A text as it is compared, and where in the text that was given each of its characters comes from. */
export interface Folded {
  readonly text: string;
  /** Where the cluster begins that the character at this place comes from; at the end the length of what was given. */
  from(place: number): number;
  /** Where the cluster ends that the character before this place comes from. */
  to(place: number): number;
}

/** Folds a text, so that it can be compared with others that are folded. */
export function fold(given: string): Folded {
  if (ascii.test(given)) return { text: given.toLowerCase(), from: (place) => place, to: (place) => place };
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  for (const { 0: cluster, index } of given.matchAll(clusters)) {
    const folded = ascii.test(cluster) ? cluster.toLowerCase() : foldCluster(cluster);
    text += folded;
    for (let at = 0; at < folded.length; at += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return {
    text,
    from: (place) => starts[place] ?? given.length,
    to: (place) => ends[place - 1] ?? 0,
  };
}

/**
 * A folded text in letters that every database takes for letters: `pg_trgm` knows nothing else, and in some locales that
 * is ASCII alone. Two texts may become one: what is found by it is compared again.
 */
export function asciiOf(folded: string): string {
  if (ascii.test(folded)) return folded.replaceAll("\u0000", " ");
  let text = "";
  for (const letter of folded) {
    const code = letter.codePointAt(0) ?? 0;
    text += code < 128 ? letter : `z${code.toString(36)}`;
  }
  return text.replaceAll("\u0000", " ");
}

/** The pattern of LIKE for texts of `asciiOf` that may hold this one. */
export function likePattern(folded: string): string {
  return `%${asciiOf(folded).replaceAll(/[\\%_]/g, "\\$&")}%`;
}
