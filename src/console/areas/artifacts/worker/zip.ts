/** One file of a zip archive, as its directory tells of it. Sizes in bytes. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored as it is; 8: deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Date and time as MS-DOS wrote them, two numbers of 16 bits. */
  readonly time: number;
  readonly date: number;
  /** Where its local header stands. */
  readonly offset: number;
  readonly isEncrypted: boolean;
}

/** A file for a new archive: its facts, and its bytes as they are packed. */
export interface PackedFile
  extends Pick<ZipEntry, "name" | "method" | "crc" | "packedSize" | "size" | "time" | "date"> {
  readonly packed: Blob;
}

/** What was given is no zip archive, or one of a form that is not read here. */
export class ZipError extends Error {
  readonly kind: "broken" | "protected" | "too big";

  constructor(kind: ZipError["kind"], message: string) {
    super(message);
    this.name = "ZipError";
    this.kind = kind;
  }
}

const localSize = 30;
const centralSize = 46;
const endSize = 22;
const longestComment = 65_535;

async function view(blob: Blob, from: number, to: number): Promise<DataView> {
  if (from < 0 || to > blob.size) throw new ZipError("broken", "The archive is cut off");
  return new DataView(await blob.slice(from, to).arrayBuffer());
}

/** Reads the directory of an archive. @throws ZipError */
export async function readZip(blob: Blob): Promise<readonly ZipEntry[]> {
  if (blob.size < endSize) throw new ZipError("broken", "Too short for an archive");
  const from = Math.max(0, blob.size - endSize - longestComment);
  const tail = await view(blob, from, blob.size);
  let end = tail.byteLength - endSize;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new ZipError("broken", "No directory");
  const count = tail.getUint16(end + 10, true);
  const length = tail.getUint32(end + 12, true);
  const start = tail.getUint32(end + 16, true);
  if (count === 0xffff || start === 0xffffffff) throw new ZipError("too big", "Too big an archive");
  const directory = await view(blob, start, start + length);
  const text = new TextDecoder();
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + centralSize > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50)
      throw new ZipError("broken", "The directory is broken");
    const nameSize = directory.getUint16(at + 28, true);
    const rest = directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (at + centralSize + nameSize > directory.byteLength)
      throw new ZipError("broken", "The directory is broken");
    entries.push({
      name: text.decode(new Uint8Array(directory.buffer, at + centralSize, nameSize)),
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      time: directory.getUint16(at + 12, true),
      date: directory.getUint16(at + 14, true),
      crc: directory.getUint32(at + 16, true),
      packedSize: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      offset: directory.getUint32(at + 42, true),
    });
    at += centralSize + nameSize + rest;
  }
  return entries;
}

/** The bytes of a file as they are packed. @throws ZipError */
export async function packedBytes(blob: Blob, entry: ZipEntry): Promise<Blob> {
  const head = await view(blob, entry.offset, entry.offset + localSize);
  if (head.getUint32(0, true) !== 0x04034b50) throw new ZipError("broken", "A file of the archive is broken");
  const from = entry.offset + localSize + head.getUint16(26, true) + head.getUint16(28, true);
  if (from + entry.packedSize > blob.size) throw new ZipError("broken", "The archive is cut off");
  return blob.slice(from, from + entry.packedSize);
}

/**
 * The bytes of a file, unpacked.
 * @param most more than so many bytes are not unpacked, whatever the directory says
 * @throws ZipError
 */
export async function unpackedBytes(blob: Blob, entry: ZipEntry, most: number): Promise<Blob> {
  const packed = await packedBytes(blob, entry);
  if (entry.isEncrypted) throw new ZipError("protected", "Protected by a password");
  if (entry.method === 0) return packed;
  if (entry.method !== 8) throw new ZipError("broken", "Unsupported compression");
  const reader = packed.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ZipError("broken", "A file of the archive is broken");
    });
    if (done) return new Blob(parts);
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new ZipError("too big", "Unpacked it would be too big");
    }
    parts.push(value);
  }
}

/** Writes an archive of files that are packed already. @throws ZipError where it would need more than 4 GB */
export function writeZip(files: readonly PackedFile[]): Blob {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let directorySize = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const local = headerOf(file, name, null);
    const central = headerOf(file, name, offset);
    parts.push(local, name, file.packed);
    directory.push(central, name);
    offset += local.byteLength + name.byteLength + file.packedSize;
    directorySize += central.byteLength + name.byteLength;
  }
  if (offset + directorySize > 0xfffffffe || files.length > 0xfffe)
    throw new ZipError("too big", "Too big an archive");
  const end = new DataView(new ArrayBuffer(endSize));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, directorySize, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, end.buffer], { type: "application/zip" });
}

/** @param offset of the local header, for an entry of the directory; null for the local header itself */
function headerOf(file: PackedFile, name: Uint8Array, offset: number | null): ArrayBuffer {
  const isCentral = offset !== null;
  const head = new DataView(new ArrayBuffer(isCentral ? centralSize : localSize));
  head.setUint32(0, isCentral ? 0x02014b50 : 0x04034b50, true);
  if (isCentral) head.setUint16(4, 20, true);
  const at = isCentral ? 6 : 4;
  head.setUint16(at, 20, true);
  head.setUint16(at + 2, 0x0800, true); // names in UTF-8
  head.setUint16(at + 4, file.method, true);
  head.setUint16(at + 6, file.time, true);
  head.setUint16(at + 8, file.date, true);
  head.setUint32(at + 10, file.crc, true);
  head.setUint32(at + 14, file.packedSize, true);
  head.setUint32(at + 18, file.size, true);
  head.setUint16(at + 22, name.byteLength, true);
  if (isCentral) head.setUint32(42, offset, true);
  return head.buffer;
}
