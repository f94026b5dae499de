import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Place } from "../../config.ts";
import type { ByteRange } from "../file-store.ts";
import { FilesError } from "../files-error.ts";
import type { S3Client } from "./client.ts";
import { connectionError } from "./failure.ts";

/** The digest of a whole file, which is written with it. In hex. */
export const digestHeader = "x-amz-meta-sha256";

/** So often a read that breaks off is taken up again without having got further. */
const mostBreaks = 5;

/**
 * Reads an object as fast as it is read here. A connection that breaks is taken up where it broke off, of the same state of
 * the object; of a whole object the last bytes are given once its digest is right.
 * @returns null where there is none
 * @throws FilesError; the stream fails with one too
 */
export async function readObject(
  client: S3Client,
  place: S3Place,
  key: string,
  range: ByteRange | undefined,
): Promise<Readable | null> {
  const gone = new AbortController();
  const from = range?.start ?? 0;
  const first = await openAt(client, key, range && `bytes=${range.start}-${range.end}`, null, gone.signal);
  if (first === null) return null;
  // Nothing lies there.
  if (first.status === 416) return Readable.from([]);
  // A store need not know ranges (RFC 9110 §14.2): then all of it comes.
  if (range !== undefined && first.status === 200) {
    first.body.destroy();
    const whole = await readObject(client, place, key, undefined);
    return whole && partOf(whole, range);
  }
  const { headers } = first;
  const etag = headers.etag ?? null;
  const length = Number(headers["content-length"] ?? Number.NaN);
  const digest = range === undefined ? (headers[digestHeader] ?? null) : null;

  async function* pieces(): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    let body: Readable = first?.body ?? Readable.from([]);
    let got = 0;
    let breaks = 0;
    let held: Buffer | null = null;
    for (;;) {
      try {
        for await (const chunk of body) {
          got += chunk.length;
          breaks = 0;
          if (digest !== null) hash.update(chunk);
          if (held !== null) yield held;
          held = chunk;
        }
        if (Number.isNaN(length) || got >= length) break;
        throw Object.assign(new Error("an answer ended early"), { code: "ECONNRESET" });
      } catch (error) {
        gone.signal.throwIfAborted();
        // All of it has come: what breaks behind it is no loss.
        if (got >= length) break;
        // Not by the etag alone: nobody could tell what the rest belongs to.
        if (Number.isNaN(length) || etag === null || ++breaks > mostBreaks)
          throw connectionError(place, error);
        const rest = `bytes=${from + got}-${from + length - 1}`;
        const next = await openAt(client, key, rest, etag, gone.signal);
        if (next === null || next.status === 412) throw changed(key);
        if (next.status !== 206) {
          next.body.destroy();
          throw unresumed(key, next.status);
        }
        body = next.body;
      }
    }
    if (got > length || (digest !== null && hash.digest("hex") !== digest)) throw damaged(key, place);
    if (held !== null) yield held;
  }

  const stream = Readable.from(pieces(), { objectMode: false });
  // Whoever reads no further must not wait for the next bytes to come.
  stream.once("close", () => {
    gone.abort();
    first.body.destroy();
  });
  return stream;
}

function partOf(whole: Readable, { start, end }: ByteRange): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let at = 0;
    for await (const chunk of whole) {
      const piece: Buffer = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
      at += chunk.length;
      if (piece.length > 0) yield piece;
      if (at > end) return;
    }
  }
  const part = Readable.from(pieces(), { objectMode: false });
  part.once("close", () => whole.destroy());
  return part;
}

async function openAt(
  client: S3Client,
  key: string,
  range: string | undefined,
  etag: string | null,
  signal: AbortSignal,
) {
  const answer = await client.open({
    ...{ method: "GET", action: "s3:GetObject", key, signal, expects: [404, 412, 416] },
    headers: { ...(range && { range }), ...(etag && { "if-match": etag }) },
  });
  if (answer.status === 404) {
    answer.body.destroy();
    return null;
  }
  return answer;
}

const changed = (key: string) =>
  new FilesError("unavailable", `${key} was replaced while it was read`, "Read it again");

const unresumed = (key: string, status: number) =>
  new FilesError(
    "unavailable",
    `${key} broke off, and the object store does not go on in the middle: it answered ${status}`,
    "Read it again",
  );

const damaged = (key: string, { bucket }: S3Place) =>
  new FilesError(
    "damaged",
    `${key} in the bucket ${bucket} is not what was written`,
    "Take it from a backup, and look at the object store",
  );
