/**
 * Cuts a text in the middle: `head` characters, an ellipsis, `tail` characters. Leaves it whole when cutting would not
 * make it shorter. Counts whole characters, so that nothing is cut through.
 */
export function middleCut(text: string, head: number, tail: number): string {
  const characters = [...text];
  if (characters.length <= head + tail + 1) return text;
  return `${characters.slice(0, head).join("")}…${tail > 0 ? characters.slice(-tail).join("") : ""}`;
}
