/** A stretch of text that is, or is not, a hit of the search. */
export interface Part {
  readonly text: string;
  readonly isHit: boolean;
}

/** Splits a text at the places where `search` stands in it, without regard to case. An empty search hits nothing. */
export function markHits(text: string, search: string): readonly Part[] {
  if (search === "") return [{ text, isHit: false }];
  // Lower case may have another length ("İ"): then marks would be off, so nothing is marked.
  const low = text.toLowerCase();
  const wanted = search.toLowerCase();
  if (low.length !== text.length || wanted.length !== search.length) return [{ text, isHit: false }];
  const parts: Part[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at !== -1; at = low.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false });
    parts.push({ text: text.slice(at, at + wanted.length), isHit: true });
    from = at + wanted.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}
