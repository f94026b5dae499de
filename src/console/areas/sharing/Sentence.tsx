import type { Piece } from "./words.ts";

/** A sentence with its weight; names are isolated, so that their direction stays their own (C-08). */
export function Sentence({ pieces }: { pieces: readonly Piece[] }) {
  const counts = new Map<string, number>();
  return pieces.map((piece) => {
    const nth = (counts.get(piece.text) ?? 0) + 1;
    counts.set(piece.text, nth);
    const key = `${piece.text} ${nth}`;
    return piece.isStrong ? (
      <strong key={key} className="font-semibold">
        <bdi>{piece.text}</bdi>
      </strong>
    ) : (
      <span key={key}>{piece.text}</span>
    );
  });
}
