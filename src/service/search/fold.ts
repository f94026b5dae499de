/**
 * How texts are compared: without regard to case in any script, and whether marks are letters of their own or part of one.
 * It is done here and not by the database, as what the database takes for a letter differs by version and locale.
 */

/** A letter with its marks, or signs of which one syllable is made; of each no more than anybody writes. */
const clusters = /[\u1100-\u11FF]{1,256}\p{M}{0,256}|\P{M}\p{M}{0,256}|\p{M}{1,256}/gu;
const ascii = /^\p{ASCII}*$/u;
/** Of such letters each is a cluster. */
const single = /^[^\p{M}\u1100-\u11FF]*$/u;
/** A character that begins a cluster, whatever stands before it. */
const begins = /^[^\p{M}\u1100-\u11FF\uD800-\uDFFF]$/u;

/** A text is folded in pieces of so many characters, or as many more as belong together. */
const pieceLength = 4_096;
/** So far is looked back for a place where a piece may end. */
const farthest = 600;

/** What was folded before, as a text has few letters and has them often. */
const known = new Map<string, string>();
const mostKnown = 10_000;

/** Signs of Chinese, Japanese and Korean, of which there are many: none has another case or another form. */
const same = /^[\u3040-\u9FFF\uAC00-\uD7A3]$/;

function foldKnown(cluster: string): string {
  if (same.test(cluster)) return cluster;
  const before = known.get(cluster);
  if (before !== undefined) return before;
  const folded = foldCluster(cluster);
  if (cluster.length > 8) return folded;
  if (known.size >= mostKnown) known.clear();
  known.set(cluster, folded);
  return folded;
}

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
  const steps = foldSteps(given);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps, each of which takes a moment: a long text in another script than ASCII takes a while. */
export function* foldSteps(given: string): Generator<void, Folded> {
  if (ascii.test(given)) return { text: given.toLowerCase(), from: (place) => place, to: (place) => place };
  const pieces: Piece[] = [];
  let text = "";
  for (let start = 0; start < given.length; yield) {
    const end = endOfPiece(given, start);
    const piece = given.slice(start, end);
    pieces.push({ given: piece, start, folded: text.length });
    text += foldPiece(piece);
    start = end;
  }
  return {
    text,
    from: (place) => placesIn(pieceAt(pieces, place)).starts(place) ?? given.length,
    to: (place) => placesIn(pieceAt(pieces, place - 1)).ends(place - 1) ?? 0,
  };
}

/** A part of a text, and where it begins in what was given and in what is folded. */
interface Piece {
  readonly given: string;
  readonly start: number;
  readonly folded: number;
}

/** Where a piece ends that begins here: never within a cluster. */
function endOfPiece(given: string, start: number): number {
  const wanted = start + pieceLength;
  if (wanted >= given.length) return given.length;
  for (let end = wanted; end > wanted - farthest; end -= 1) if (begins.test(given.charAt(end))) return end;
  // Marks, parts of syllables or signs in two characters alone.
  const walk = new RegExp(clusters);
  walk.lastIndex = start;
  while (walk.lastIndex < wanted && walk.exec(given) !== null);
  return walk.lastIndex === 0 ? given.length : walk.lastIndex;
}

function foldPiece(piece: string): string {
  if (ascii.test(piece)) return piece.toLowerCase();
  let text = "";
  if (single.test(piece)) for (const letter of piece) text += foldKnown(letter);
  else for (const [cluster] of piece.matchAll(clusters)) text += foldKnown(cluster);
  return text;
}

/** The last one that begins at this place of what is folded, or before it. */
function pieceAt(pieces: readonly Piece[], place: number): Piece {
  return pieces.findLast(({ folded }) => folded <= place) ?? { given: "", start: 0, folded: 0 };
}

/** Where the clusters of a piece begin and end, by the places of what they were folded to. */
function placesIn({ given, start, folded }: Piece) {
  const [starts, ends]: [number[], number[]] = [[], []];
  for (const { 0: cluster, index } of given.matchAll(clusters)) {
    const { length } = foldKnown(cluster);
    for (let at = 0; at < length; at += 1) {
      starts.push(start + index);
      ends.push(start + index + cluster.length);
    }
  }
  return { starts: (place: number) => starts[place - folded], ends: (place: number) => ends[place - folded] };
}

const names: string[] = [];

/**
 * A folded text in letters that every database takes for letters: `pg_trgm` knows nothing else, and in some locales that
 * is ASCII alone. Two texts may become one: what is found by it is compared again.
 */
export function asciiOf(folded: string): string {
  if (ascii.test(folded)) return folded.replaceAll("\u0000", " ");
  let text = "";
  for (const letter of folded) {
    const code = letter.codePointAt(0) ?? 0;
    text += code < 128 ? letter : nameOf(code);
  }
  return text.replaceAll("\u0000", " ");
}

function nameOf(code: number): string {
  const before = names[code];
  if (before !== undefined) return before;
  const name = `z${code.toString(36)}`;
  if (code < 65_536) names[code] = name;
  return name;
}

/** The pattern of LIKE for texts of `asciiOf` that may hold this one. */
export function likePattern(folded: string): string {
  return `%${asciiOf(folded).replaceAll(/[\\%_]/g, "\\$&")}%`;
}
