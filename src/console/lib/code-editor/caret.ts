/** Where somebody types in a text that has the focus: what one field leaves to the next that shows the same text. */
export interface Caret {
  /** Where the selection was begun, in UTF-16 code units; a line break is one. */
  readonly anchor: number;
  /** Where it ends, which is where typed text goes. */
  readonly head: number;
}
