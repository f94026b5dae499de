/** Rows in a block: sums are kept for blocks, so that a place among a million rows is found in a few microseconds. */
const blockRows = 512;

/** Heights of many rows, of which most are as high as the first guess. In px. */
export class RowHeights {
  readonly #usual: number;
  /** What rows differ from the usual height, and the sum of that for each block. */
  readonly #extra = new Map<number, number>();
  readonly #sums: number[] = [];

  constructor(usual: number) {
    this.#usual = usual;
  }

  heightOf(row: number): number {
    return this.#usual + (this.#extra.get(row) ?? 0);
  }

  /** @returns whether that is news */
  set(row: number, height: number): boolean {
    const extra = height - this.#usual;
    const before = this.#extra.get(row) ?? 0;
    if (extra === before) return false;
    if (extra === 0) this.#extra.delete(row);
    else this.#extra.set(row, extra);
    const block = Math.floor(row / blockRows);
    while (this.#sums.length <= block) this.#sums.push(0);
    this.#sums[block] = (this.#sums[block] ?? 0) + extra - before;
    return true;
  }

  /** Where a row begins; for the number of rows, where the last one ends. */
  offsetOf(row: number): number {
    const block = Math.floor(row / blockRows);
    let offset = row * this.#usual;
    for (let i = 0; i < Math.min(block, this.#sums.length); i += 1) offset += this.#sums[i] ?? 0;
    return offset + this.#within(block, row);
  }

  /** The row at a place, and how far into it; the last of `count` rows for what is below. */
  rowAt(offset: number, count: number): { row: number; into: number } {
    if (count === 0 || offset <= 0) return { row: 0, into: 0 };
    let begin = 0;
    let block = 0;
    const blocks = Math.floor((count - 1) / blockRows);
    for (; block < blocks; block += 1) {
      const next = begin + blockRows * this.#usual + (this.#sums[block] ?? 0);
      if (next > offset) break;
      begin = next;
    }
    let row = block * blockRows;
    for (; row < count - 1; row += 1) {
      const next = begin + this.heightOf(row);
      if (next > offset) break;
      begin = next;
    }
    return { row, into: Math.min(offset - begin, this.heightOf(row)) };
  }

  #within(block: number, row: number): number {
    let sum = 0;
    if (block >= this.#sums.length) return 0;
    for (let i = block * blockRows; i < row; i += 1) sum += this.#extra.get(i) ?? 0;
    return sum;
  }
}

export const rowHeight = 20;
const padding = 6;
const overscan = 10;
/** Engines draw no element that is much higher than this (Firefox: 17.9 million px): a higher log scrolls at a larger scale. */
const tallest = 16_000_000;

/** Rows from `first` to before `end`. */
export interface RowSpan {
  readonly first: number;
  readonly end: number;
}

/**
 * Which rows of a log are in view. What stays in place while heights and rows come and go is the row at the top of the
 * view (`anchor`), never a number of px.
 */
export class LogWindow {
  #heights = new RowHeights(rowHeight);
  #count = 0;
  #view: number;
  #top = 0;
  #anchor = { row: 0, into: -padding };

  /** @param height how high the view is, in px, as far as that is known before it is drawn */
  constructor(height = 900) {
    this.#view = height;
  }

  get count(): number {
    return this.#count;
  }
  /** The row at the top of the view. */
  get topRow(): number {
    return this.#anchor.row;
  }

  /** Takes how many rows there are. */
  resize(count: number): void {
    this.#count = count;
    this.#settle();
  }

  /** Takes how high the view is, in px. */
  setView(height: number): void {
    this.#view = height;
    this.#settle();
  }

  /** Forgets all heights: rows are other rows now, or as wide as they were not. `row` comes to the top. */
  reset(row = this.#anchor.row): void {
    this.#heights = new RowHeights(rowHeight);
    this.#anchor = { row, into: row === 0 ? -padding : 0 };
    this.#settle();
  }

  measure(row: number, height: number): void {
    if (this.#heights.set(row, height)) this.#settle();
  }

  /** The height of all rows, and the height of the element that scrolls, which may be less. */
  get total(): number {
    return this.#heights.offsetOf(this.#count) + 2 * padding;
  }
  get drawnHeight(): number {
    return Math.min(this.total, tallest);
  }
  get isScaled(): boolean {
    return this.total > tallest;
  }

  /** Where the scrolling element should stand. */
  get scrollTop(): number {
    return Math.round(this.#top / this.#scale());
  }

  /** The person scrolled. */
  scrolledTo(scrollTop: number): void {
    this.#moveTo(scrollTop * this.#scale());
  }

  /** Px between the end of the rows and the end of the view. */
  get below(): number {
    return this.total - this.#view - this.#top;
  }

  toEnd(): void {
    this.#moveTo(this.#farthest());
  }

  /** Brings a row to the middle, unless it is in view already. */
  show(row: number): void {
    const begin = this.#heights.offsetOf(row) + padding;
    const end = begin + this.#heights.heightOf(row);
    if (begin >= this.#top && end <= this.#top + this.#view) return;
    this.#moveTo(begin - Math.max(0, (this.#view - this.#heights.heightOf(row)) / 2));
  }

  /** The rows in view, with `more` above and below. */
  span(more = overscan): RowSpan {
    const first = this.#heights.rowAt(this.#top - padding, this.#count).row;
    const last = this.#heights.rowAt(this.#top - padding + this.#view, this.#count).row;
    return { first: Math.max(0, first - more), end: Math.min(this.#count, last + 1 + more) };
  }

  /** Where the list that begins with a row has to stand within the scrolling element. */
  placeOf(first: number): number {
    return this.scrollTop + this.#heights.offsetOf(first) + padding - this.#top;
  }

  /** The part of the whole that is in view, from 0 to 1. */
  get shown(): { from: number; to: number } {
    const { total } = this;
    return { from: this.#top / total, to: Math.min(1, (this.#top + this.#view) / total) };
  }

  #scale(): number {
    if (!this.isScaled) return 1;
    return (this.total - this.#view) / (this.drawnHeight - this.#view);
  }

  #farthest(): number {
    return Math.max(0, this.total - this.#view);
  }

  #moveTo(top: number): void {
    this.#top = Math.max(0, Math.min(top, this.#farthest()));
    this.#anchor = this.#heights.rowAt(this.#top - padding, this.#count);
    if (this.#top <= padding) this.#anchor = { row: 0, into: this.#top - padding };
  }

  #settle(): void {
    const row = Math.min(this.#anchor.row, Math.max(0, this.#count - 1));
    const top = this.#heights.offsetOf(row) + padding + this.#anchor.into;
    this.#top = Math.max(0, Math.min(top, this.#farthest()));
  }
}
