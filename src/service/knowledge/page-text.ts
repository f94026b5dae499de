/** A piece of text on a page, in points from the lower left corner; `x` and `y` are where its first letter stands. */
export interface TextItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of its letters. */
  readonly size: number;
}

/** Items that stand on one line without a wide gap. */
interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
}

/** A gap of this many letter heights ends a segment: words of one line stand closer, columns do not. */
const gapOfSegments = 1;
/** A column has at least so many lines, of so many letters in the mean: less is a table or a margin. */
const linesOfColumn = 3;
const lettersOfColumn = 12;
/** Of all lines of a page, so many may run across a gutter, such as headings and footers. */
const maxAcross = 0.25;
const maxCandidates = 200;
const maxNesting = 6;

/**
 * The text of a page in the order in which people read it: line by line, column by column where the lines leave a gutter.
 * What runs across the gutter divides the columns into parts above and below it. Lines are divided by line breaks,
 * paragraphs by blank lines. Where the program that wrote the file drew what first does not matter.
 */
export function pageText(items: readonly TextItem[]): string {
  return readRegion(segmentsOf(items), maxNesting).trim();
}

function segmentsOf(items: readonly TextItem[]): Segment[] {
  const drawn = items.filter(({ text }) => text.trim() !== "").sort((a, b) => b.y - a.y || a.x - b.x);
  const segments: Segment[] = [];
  let row: TextItem[] = [];
  const flush = () => {
    segments.push(...divideRow(row.sort((a, b) => a.x - b.x)));
    row = [];
  };
  for (const item of drawn) {
    const [first] = row;
    if (first && first.y - item.y > 0.4 * Math.max(first.size, item.size)) flush();
    row.push(item);
  }
  flush();
  return segments;
}

function divideRow(row: readonly TextItem[]): Segment[] {
  const segments: Segment[] = [];
  let open: { text: string; left: number; right: number; y: number; size: number } | null = null;
  for (const { text, x, y, width, size } of row) {
    const gap = open === null ? Number.POSITIVE_INFINITY : x - open.right;
    if (open === null || gap > gapOfSegments * Math.max(size, open.size)) {
      open = { text, left: x, right: x + width, y, size };
      segments.push(open);
    } else {
      const spaced = gap > 0.15 * size && !/\s$/.test(open.text) && !/^\s/.test(text);
      open.text += spaced ? ` ${text}` : text;
      open.right = Math.max(open.right, x + width);
      open.size = Math.max(open.size, size);
    }
  }
  return segments;
}

function readRegion(segments: readonly Segment[], nested: number): string {
  const gutter = nested === 0 ? null : findGutter(segments);
  if (gutter === null) return readLines(segments);
  const across = segments.filter((segment) => crosses(segment, gutter)).sort((a, b) => b.y - a.y);
  const beside = segments.filter((segment) => !crosses(segment, gutter)).sort((a, b) => b.y - a.y);
  const parts: string[] = [];
  let begun = 0;
  const columnsDownTo = (y: number) => {
    let end = begun;
    while (end < beside.length && (beside[end]?.y ?? 0) > y) end++;
    const band = beside.slice(begun, end);
    begun = end;
    const left = band.filter(({ right }) => right <= gutter);
    const right = band.filter(({ left }) => left >= gutter);
    // A sentence goes on from the foot of one column to the head of the next: no blank line between them.
    const columns = [left, right]
      .map((column) => readRegion(column, nested - 1))
      .filter((text) => text !== "");
    if (columns.length > 0) parts.push(columns.join("\n"));
  };
  for (let index = 0; index < across.length; ) {
    const y = across[index]?.y ?? 0;
    columnsDownTo(y);
    let end = index + 1;
    // Lines that follow each other without a column between them belong together.
    while (end < across.length && !((beside[begun]?.y ?? Number.NEGATIVE_INFINITY) > (across[end]?.y ?? 0)))
      end++;
    parts.push(readLines(across.slice(index, end)));
    index = end;
  }
  columnsDownTo(Number.NEGATIVE_INFINITY);
  return parts.join("\n\n");
}

function crosses({ left, right }: Segment, gutter: number): boolean {
  return left < gutter && right > gutter;
}

/** Where two columns part: the left edge of the right one. @returns null where there is one column only */
function findGutter(segments: readonly Segment[]): number | null {
  if (segments.length < 2 * linesOfColumn) return null;
  const starts = new Map<number, number>();
  for (const { left } of segments) starts.set(Math.floor(left), (starts.get(Math.floor(left)) ?? 0) + 1);
  // Most lines of a column begin at its edge.
  const candidates = [...starts].sort((a, b) => b[1] - a[1]).slice(0, maxCandidates);
  let best: { readonly gutter: number; readonly across: number; readonly shared: number } | null = null;
  for (const [gutter] of candidates) {
    const left = segments.filter(({ right }) => right <= gutter);
    const right = segments.filter(({ left }) => left >= gutter);
    const across = segments.length - left.length - right.length;
    const shared = Math.min(left.length, right.length);
    if (across > maxAcross * segments.length || !isColumn(left) || !isColumn(right)) continue;
    if (!besideEachOther(left, right)) continue;
    if (best === null || across < best.across || (across === best.across && shared > best.shared)) {
      best = { gutter, across, shared };
    }
  }
  return best?.gutter ?? null;
}

function isColumn(segments: readonly Segment[]): boolean {
  const letters = segments.reduce((sum, { text }) => sum + text.length, 0);
  return segments.length >= linesOfColumn && letters / segments.length >= lettersOfColumn;
}

/** Whether the smaller of the two stands beside the larger one for at least half of its height. */
function besideEachOther(left: readonly Segment[], right: readonly Segment[]): boolean {
  const [a, b] = [rangeOf(left), rangeOf(right)];
  const common = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return common >= 0.5 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

function rangeOf(segments: readonly Segment[]) {
  let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { y } of segments) {
    top = Math.max(top, y);
    bottom = Math.min(bottom, y);
  }
  return { top, bottom };
}

/** Segments of one column, from top to bottom; a distance that is larger than usual makes a paragraph. */
function readLines(segments: readonly Segment[]): string {
  const sorted = [...segments].sort((a, b) => b.y - a.y || a.left - b.left);
  const distances = sorted.slice(1).map((segment, index) => (sorted[index]?.y ?? segment.y) - segment.y);
  const usual = distances.filter((distance) => distance > 1).sort((a, b) => a - b);
  const middle = usual[Math.floor(usual.length / 2)] ?? 0;
  let text = "";
  let before: Segment | null = null;
  for (const segment of sorted) {
    const distance = before === null ? 0 : before.y - segment.y;
    const sameLine = before !== null && distance < 0.4 * Math.max(before.size, segment.size);
    const apart = distance > 1.35 * middle && distance > 1.35 * segment.size;
    if (before !== null) text += sameLine ? " " : apart ? "\n\n" : "\n";
    text += segment.text.trim();
    before = segment;
  }
  return text;
}
