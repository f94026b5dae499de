/** Lines of a text to mark, counted from 1. */
export interface LineMarks {
  /** Changed by this person: an edge in the accent. */
  readonly edited: readonly number[];
  /** Changed by another person too: an amber edge. */
  readonly also: readonly number[];
}

/** What the frame of an editor asks of it. */
export interface EditorHandle {
  focus(): void;
  /** Opens the search, with what is selected in it. */
  find(): void;
}
