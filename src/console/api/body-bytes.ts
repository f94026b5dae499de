/**
 * Reads the bytes of a body, and no more of it than is wanted.
 * @param most so many bytes; what follows them is not read
 * @param onProgress is told after each part how many bytes have come
 * @returns `isWhole`: false where there was more
 * @throws what the reading throws
 */
export async function readBytes(
  { body }: Pick<Response, "body">,
  most: number,
  onProgress?: (size: number) => void,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.byteLength;
    onProgress?.(size);
    if (size <= most) continue;
    // Not awaited: of a cloned response it ends with the other half, which may still be read.
    void reader.cancel().catch(() => {});
    return { bytes: joined(parts, size).slice(0, most), isWhole: false };
  }
  return { bytes: joined(parts, size), isWhole: true };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
