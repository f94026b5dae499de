/** Where somebody types in a text that has the focus: what one field leaves to the next that shows the same text. */
export interface Caret {
  /** Where the selection was begun, in UTF-16 code units; a line break is one. */
  readonly anchor: number;
  /** Where it ends, which is where typed text goes. */
  readonly head: number;
}

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
