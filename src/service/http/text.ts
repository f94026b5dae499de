// In unicode mode only halves of surrogate pairs match the class.
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is exactly what is looked for
const unstorable = /[\u0000\p{Surrogate}]/u;

/** Whether the database can keep this text: it refuses NUL and halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}
