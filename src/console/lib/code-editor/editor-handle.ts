/** What the frame of an editor asks of it. */
export interface EditorHandle {
  focus(): void;
  /** Opens the search, with what is selected in it. */
  find(): void;
}
