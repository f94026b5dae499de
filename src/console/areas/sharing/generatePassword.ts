/** Without what is mistaken for something else when it is read out: 0 O 1 l I. */
const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A password of four groups of five, some 115 bits, from the browser's own source of chance. */
export function generatePassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => void crypto.getRandomValues(bytes),
): string {
  const groups: string[] = [];
  while (groups.length < 4) {
    let group = "";
    while (group.length < 5) {
      const bytes = new Uint8Array(8);
      random(bytes);
      // Bytes beyond the last whole round of the letters would make the first letters likelier.
      const fair = [...bytes].filter((byte) => byte < 256 - (256 % letters.length));
      group += fair.map((byte) => letters.charAt(byte % letters.length)).join("");
    }
    groups.push(group.slice(0, 5));
  }
  return groups.join("-");
}
