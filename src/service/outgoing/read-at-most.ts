/**
 * Reads a whole answer of somebody else into memory.
 * @returns null where it has more bytes than that; the request has been ended then
 */
export async function readAtMost(response: Response, maxBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop ends the request.
    if (size > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
