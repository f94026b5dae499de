import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { z } from "zod";
import { BackupError } from "./backup-error.ts";
import {
  anyFirstLine,
  digestLength,
  digestOf,
  doneSchema,
  endSchema,
  type FrameKind,
  firstLine,
  format,
  frameKinds,
  type Header,
  headerSchema,
  headLength,
  mostInFrame,
  type Part,
  packed,
  partSchema,
  type Totals,
} from "./format.ts";

const inflate = promisify(inflateRaw);

/** What a backup holds, in its order. Each is known to be what was written as far as digests tell; the end tells the rest. */
export type Piece =
  | { readonly type: "header"; readonly header: Header }
  | { readonly type: "part"; readonly part: Part }
  /** As it stands in the file; `unpack` gives the bytes. */
  | { readonly type: "data"; readonly content: Buffer; readonly isPacked: boolean }
  | { readonly type: "done" }
  | { readonly type: "end"; readonly totals: Totals; readonly mac: string; readonly before: Buffer };

/** A backup that is not what was written. @param where what of it: "its end" */
export const altered = (where: string) =>
  new BackupError(
    "altered",
    `The backup is damaged: ${where} is not what was written. Take another copy of it, or another backup.`,
  );
const truncated = () =>
  new BackupError(
    "truncated",
    "The backup is cut off: its end is missing. Take another copy of it, or another backup.",
  );

/** The bytes of `data`. @throws BackupError `altered` for what is no packed content, or more than a frame holds */
export async function unpack(content: Buffer, isPacked: boolean): Promise<Buffer> {
  if (!isPacked) return content;
  try {
    return await inflate(content, { maxOutputLength: mostInFrame });
  } catch {
    throw altered("packed content");
  }
}

/**
 * Reads a backup from its first byte to its last. What it holds in memory is one frame.
 * @param onBytes hears how far it has come
 * @throws BackupError `foreign`, `newer`, `truncated`, `altered`
 */
export async function* readFrames(
  file: FileHandle,
  onBytes: (position: number) => void = () => {},
): AsyncGenerator<Piece> {
  let position = 0;
  /** @returns fewer where the file ends */
  async function take(length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, position);
      if (bytesRead === 0) break;
      filled += bytesRead;
      position += bytesRead;
    }
    onBytes(position);
    return buffer.subarray(0, filled);
  }

  checkFirstLine(await take(firstLine.length));
  let digest: Buffer = Buffer.alloc(0);
  let before: FrameKind | null = null;
  let size = 0;
  for (;;) {
    const at = position;
    const head = await take(headLength);
    if (head.length < headLength) throw truncated();
    const kind = kindOf(head);
    const length = head.readUInt32BE(4);
    const isPacked = head[1] === packed;
    const isFit = (head[1] === 0 || (isPacked && kind === "data")) && head.readUInt16BE(2) === 0;
    if (kind === null || !isFit || length > mostInFrame || !follows(before, kind))
      throw altered(`byte ${at}`);
    const rest = await take(length + digestLength);
    if (rest.length < length + digestLength) throw truncated();
    const content = rest.subarray(0, length);
    const earlier = digest;
    digest = digestOf(digest, head, content);
    if (!digest.equals(rest.subarray(length))) throw altered(`something after byte ${at}`);
    before = kind;
    switch (kind) {
      case "header":
        yield { type: "header", header: parse(headerSchema, content, "its header") };
        break;
      case "part":
        size = 0;
        yield { type: "part", part: parse(partSchema, content, "the name of a part") };
        break;
      case "data":
        size += isPacked ? 0 : content.length;
        yield { type: "data", content, isPacked };
        break;
      case "done":
        if (parse(doneSchema, content, "the end of a part").bytes < size) throw altered("the size of a part");
        yield { type: "done" };
        break;
      case "end": {
        if ((await take(1)).length > 0) throw altered("what comes after its end");
        const { totals, mac } = parse(endSchema, content, "its end");
        yield { type: "end", totals, mac, before: earlier };
        return;
      }
    }
  }
}

function checkFirstLine(line: Buffer): void {
  if (line.equals(firstLine)) return;
  if (line.length < firstLine.length && firstLine.subarray(0, line.length).equals(line)) {
    throw line.length === 0
      ? new BackupError("foreign", "The file is empty: it is no backup of Wheelhouse.")
      : truncated();
  }
  const found = anyFirstLine.exec(line.toString("latin1"));
  if (found !== null && Number(found[1]) > format)
    throw new BackupError(
      "newer",
      "A newer release of Wheelhouse made this backup: restore it with that release.",
    );
  throw new BackupError("foreign", "The file is no backup of Wheelhouse: it does not begin as one.");
}

const kinds = new Map<number, FrameKind>();
for (const kind of ["header", "part", "data", "done", "end"] as const) kinds.set(frameKinds[kind], kind);
const kindOf = (head: Buffer) => kinds.get(head[0] ?? 0) ?? null;

const followers: Readonly<Record<FrameKind, readonly FrameKind[]>> = {
  header: ["part", "end"],
  part: ["data", "done"],
  data: ["data", "done"],
  done: ["part", "end"],
  end: [],
};
const follows = (before: FrameKind | null, kind: FrameKind) =>
  before === null ? kind === "header" : followers[before].includes(kind);

function parse<T>(schema: z.ZodType<T>, content: Buffer, what: string): T {
  try {
    return schema.parse(JSON.parse(content.toString("utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw altered(what);
    throw error;
  }
}
