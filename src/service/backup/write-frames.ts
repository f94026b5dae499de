import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import {
  type BackupKey,
  digestOf,
  type FrameKind,
  firstLine,
  type Header,
  headOf,
  mostInFrame,
  type Part,
  packed,
  type Totals,
} from "./format.ts";

const deflate = promisify(deflateRaw);
/** After content that does not get smaller this many frames of the same part are not tried. */
const untried = 15;

/** Writes a backup, frame by frame. */
export interface FrameWriter {
  /** Bytes written so far. */
  readonly written: number;
  /** Bytes of parts so far, before they were packed. */
  readonly bytes: number;
  header(header: Header): Promise<void>;
  /** One table or file with all that it holds. @returns its bytes */
  part(part: Part, content: AsyncIterable<Buffer>): Promise<number>;
  end(totals: Totals, key: BackupKey): Promise<void>;
}

/** @param put takes bytes in their order, and resolves when it can take more */
export function createFrameWriter(put: (bytes: Buffer) => Promise<void>): FrameWriter {
  let digest: Buffer = Buffer.alloc(0);
  let written = 0;
  let bytes = 0;

  async function out(chunk: Buffer): Promise<void> {
    await put(chunk);
    written += chunk.length;
  }
  async function frame(kind: FrameKind, content: Buffer, flags = 0): Promise<void> {
    const head = headOf(kind, flags, content.length);
    digest = digestOf(digest, head, content);
    await out(Buffer.concat([head, content, digest]));
  }
  const json = (kind: FrameKind, value: unknown) => frame(kind, Buffer.from(JSON.stringify(value)));

  return {
    get written() {
      return written;
    },
    get bytes() {
      return bytes;
    },
    async header(header) {
      await out(firstLine);
      await json("header", header);
    },
    async part(part, content) {
      await json("part", part);
      let size = 0;
      let skips = 0;
      for await (const piece of inPieces(content)) {
        const smaller = skips > 0 ? null : await deflate(piece, { level: 1 });
        const isSmaller = smaller !== null && smaller.length < piece.length * 0.97;
        skips = isSmaller ? 0 : skips > 0 ? skips - 1 : untried;
        await (isSmaller ? frame("data", smaller, packed) : frame("data", piece));
        size += piece.length;
        bytes += piece.length;
      }
      await json("done", { bytes: size });
      return size;
    },
    async end(totals, key) {
      await json("end", { totals, mac: key.sign(digest, totals) });
    },
  };
}

/** The same bytes in pieces as large as a frame may hold; the last is what is left. */
async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + mostInFrame - length);
      held.push(piece);
      length += piece.length;
      at += piece.length;
      if (length < mostInFrame) continue;
      yield Buffer.concat(held);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held);
}
