/** A token is about four letters, in most languages that are written with letters. */
const lettersOfToken = 4;

/** @returns tokens, about */
export function tokensOf(letters: number): number {
  return Math.ceil(letters / lettersOfToken);
}

/** One credit for each thousand tokens, in hundredths, rounded up. */
export function creditsOf(tokens: number): number {
  return Math.ceil(tokens / 10) / 100;
}
