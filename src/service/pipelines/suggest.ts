/**
 * What was probably meant.
 * @returns ` (did you mean "x"?)` for the nearest known name, or "" when none is near
 */
export function didYouMean(wrong: string, known: Iterable<string>): string {
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (
      distance <= Math.floor(Math.max(name.length, wrong.length) / 3) &&
      (!best || distance < best.distance)
    ) {
      best = { name, distance };
    }
  }
  return best ? ` (did you mean "${best.name}"?)` : "";
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 20) return 100;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[right.length] ?? 0;
}
