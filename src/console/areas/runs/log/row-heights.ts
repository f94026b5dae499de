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
