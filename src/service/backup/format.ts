import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { createSigner } from "../credentials/signer.ts";

/**
 * The form of a backup, which docs/operations.md describes: a first line, then frames. A frame is 8 bytes (its kind, its
 * flags, two zeros, the length of its content as a big-endian number), the content, and 32 bytes of SHA-256 over the digest
 * before it, its 8 bytes and its content. The last frame also has an HMAC by a key that is made of the secret.
 */
export const format = 1;
export const firstLine = Buffer.from(`wheelhouse backup ${format}\n`);
/** The first line of every format. */
export const anyFirstLine = /^wheelhouse backup (\d{1,6})\n/;

export const frameKinds = { header: 1, part: 2, data: 3, done: 4, end: 5 } as const;
export type FrameKind = keyof typeof frameKinds;
/** The content is packed by raw deflate. */
export const packed = 1;
export const headLength = 8;
export const digestLength = 32;
/** Bytes of one frame's content as they were before they were packed, in `data`; the others are JSON of this size at most. */
export const mostInFrame = 256 * 1024;

const count = z.number().int().nonnegative();

/** The first frame: what the backup is of. */
export const headerSchema = z.strictObject({
  product: z.literal("wheelhouse"),
  /** Of the release that made it. */
  version: z.string().max(100),
  made_at: z.iso.datetime(),
  /** The schema, by the names of its migrations. */
  migrations: z.array(z.string().max(200)).max(5_000),
  /** Tells secrets apart; of no use to guess one. */
  key_id: z.string().max(100),
  /** With `--with-secret` alone. */
  secret: z.string().max(1_000).nullable(),
});
export type Header = z.infer<typeof headerSchema>;

/** Begins the rows of a table, as `COPY … TO STDOUT` gives them, or the bytes of a file. */
export const partSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("table"),
    name: z.string().max(200),
    columns: z.array(z.string().max(200)).max(1_600),
  }),
  z.strictObject({ type: z.literal("file"), id: z.string().max(200) }),
]);
export type Part = z.infer<typeof partSchema>;

/** Ends them. */
export const doneSchema = z.strictObject({ bytes: count });

/** What all of it came to, without the HMAC. */
const totalsSchema = z.strictObject({
  tables: count,
  files: count,
  /** Before they were packed. */
  bytes: count,
  /** Files that the database names and that were not there. */
  missing: count,
  sequences: z
    .array(
      z.strictObject({ name: z.string().max(200), value: z.string().regex(/^-?\d+$/), called: z.boolean() }),
    )
    .max(500),
});
export type Totals = z.infer<typeof totalsSchema>;

/** The last frame. */
export const endSchema = z.strictObject({ totals: totalsSchema, mac: z.string().max(100) });

/** The first 8 bytes of a frame. */
export function headOf(kind: FrameKind, flags: number, length: number): Buffer {
  const head = Buffer.alloc(headLength);
  head[0] = frameKinds[kind];
  head[1] = flags;
  head.writeUInt32BE(length, 4);
  return head;
}

/** The digest of a frame, which covers all frames before it. */
export function digestOf(before: Uint8Array, head: Uint8Array, content: Uint8Array): Buffer {
  return createHash("sha256").update(before).update(head).update(content).digest();
}

/** What a secret does for backups. */
export interface BackupKey {
  readonly id: string;
  /** The HMAC of the last frame. @param before the digest of the frame before it */
  sign(before: Uint8Array, totals: Totals): string;
  verify(before: Uint8Array, totals: Totals, mac: string): boolean;
}

/** @param secret the service's */
export function backupKey(secret: string): BackupKey {
  const key = createSigner(secret).derive("backup");
  const sign = (before: Uint8Array, totals: Totals) =>
    createHmac("sha256", key)
      .update(before)
      .update(JSON.stringify(totalsSchema.parse(totals)))
      .digest("base64url");
  return {
    id: createHash("sha256").update(key).digest("base64url").slice(0, 12),
    sign,
    verify(before, totals, mac) {
      const [expected, given] = [Buffer.from(sign(before, totals)), Buffer.from(mac)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
