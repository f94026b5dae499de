/** What it has from 0x80 to 0x9F. */
const letters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Text in Windows-1252. The decoder of Node 20 reads Latin-1 instead, which has control characters there. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (letter) => letters[letter.charCodeAt(0) - 0x80] ?? letter);
}
