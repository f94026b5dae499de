/** Lines of a text to mark, counted from 1. */
export interface LineMarks {
  /** Changed by this person: an edge in the accent. */
  readonly edited: readonly number[];
  /** Changed by another person too: an amber edge. */
  readonly also: readonly number[];
}
