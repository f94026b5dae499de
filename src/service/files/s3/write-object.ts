import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { S3Place } from "../../config.ts";
import type { S3Client } from "./client.ts";
import { codeOfRefusal, refusalError } from "./failure.ts";
import { digestHeader } from "./read-object.ts";
import { xmlTexts } from "./xml.ts";

/** What is longer is written in parts of this length; an object may have ten thousand. In bytes. */
export const partBytes = 16 * 1024 * 1024;

/** Writes an object at once: it is there whole, with its digest, or not at all. @returns bytes written */
export async function putObject(client: S3Client, key: string, body: Uint8Array): Promise<number> {
  const headers = { [digestHeader]: createHash("sha256").update(body).digest("hex") };
  await client.ask({ method: "PUT", action: "s3:PutObject", key, body, headers });
  return body.length;
}

/**
 * Writes what a stream gives, holding no more than two parts of it in memory. Where it fails nothing of it stays.
 * @returns bytes written
 * @throws FilesError; what the stream throws
 */
export async function putStream(
  client: S3Client,
  place: S3Place,
  key: string,
  source: Readable,
): Promise<number> {
  const parts = inParts(source);
  try {
    const first = await parts.next();
    const second = first.done ? first : await parts.next();
    if (second.done) return await putObject(client, key, first.done ? Buffer.alloc(0) : first.value);
    return await putParts(client, place, key, [first.value ?? Buffer.alloc(0), second.value], parts);
  } finally {
    await parts.return(undefined);
  }
}

async function putParts(
  client: S3Client,
  place: S3Place,
  key: string,
  begun: Buffer[],
  rest: AsyncGenerator<Buffer>,
): Promise<number> {
  const write = { action: "s3:PutObject", key } as const;
  const { text } = await client.ask({ ...write, method: "POST", query: { uploads: "" } });
  const uploadId = xmlTexts(text).get("UploadId") ?? "";
  const etags: string[] = [];
  let written = 0;
  const put = async (body: Buffer) => {
    const query = { partNumber: String(etags.length + 1), uploadId };
    const { headers } = await client.ask({ ...write, method: "PUT", query, body });
    etags.push(headers.etag ?? "");
    written += body.length;
  };
  try {
    for (let part = begun.shift(); part !== undefined; part = begun.shift()) await put(part);
    for await (const part of rest) await put(part);
    await complete(client, place, key, uploadId, etags, written);
    return written;
  } catch (error) {
    // What this leaves, the sweep ends.
    await abortUpload(client, key, uploadId).catch(() => undefined);
    throw error;
  }
}

async function complete(
  client: S3Client,
  place: S3Place,
  key: string,
  uploadId: string,
  etags: readonly string[],
  written: number,
): Promise<void> {
  const list = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`);
  const answer = await client.ask({
    ...{ method: "POST", action: "s3:PutObject", key, query: { uploadId }, body, expects: [404] },
    headers: { "content-type": "application/xml" },
  });
  const code = codeOfRefusal(answer);
  if (code === "") return;
  // Done by a try whose answer was lost.
  if (code === "NoSuchUpload" && (await objectSize(client, key)) === written) return;
  // It may begin to answer 200 before it knows.
  throw refusalError(
    place,
    "s3:PutObject",
    { ...answer, status: answer.status === 200 ? 500 : 404 },
    new Date(),
  );
}

/** Removes the parts of an upload. One that is not there is as well. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.ask({
    ...{ method: "DELETE", action: "s3:AbortMultipartUpload", key, query: { uploadId }, expects: [404] },
  });
}

/** @returns bytes, or null where there is no such object */
export async function objectSize(client: S3Client, key: string): Promise<number | null> {
  const { status, headers } = await client.ask({
    ...{ method: "HEAD", action: "s3:GetObject", key, expects: [404] },
  });
  return status === 404 ? null : Number(headers["content-length"]);
}

/** The bytes of a stream in parts of one length, the last of them shorter. Ends the stream where it is left. */
async function* inParts(source: Readable): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    let bytes = Buffer.from(chunk);
    while (length + bytes.length >= partBytes) {
      const fits = partBytes - length;
      yield Buffer.concat([...held, bytes.subarray(0, fits)]);
      bytes = bytes.subarray(fits);
      held = [];
      length = 0;
    }
    if (bytes.length === 0) continue;
    held.push(bytes);
    length += bytes.length;
  }
  if (length > 0) yield Buffer.concat(held);
  return undefined;
}
