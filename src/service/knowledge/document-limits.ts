/** What reading one document may take. What takes more of anything fails alone, with a sentence that says of what. */
export interface DocumentLimits {
  /** Milliseconds, from when there is a process for it. */
  readonly timeMs: number;
  /** How much larger than at its start the process may grow, all of it counted, in megabytes. */
  readonly memoryMb: number;
  /** Of a PDF. */
  readonly pages: number;
  /** Of the text. */
  readonly characters: number;
}

export const documentLimits: DocumentLimits = {
  timeMs: 120_000,
  memoryMb: 500,
  pages: 5_000,
  characters: 20_000_000,
};

/** How many documents a process of the service reads at a time; one of each team, or person without a team. */
export const documentsAtOnce = 2;
