import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Place } from "../../config.ts";
import { assertFileId, assertWriter, type FileStore, isFileId } from "../file-store.ts";
import { FilesError } from "../files-error.ts";
import { createS3Client, prefixed, type S3Client, type S3Limits } from "./client.ts";
import { listObjects, listUploads } from "./list.ts";
import { readObject } from "./read-object.ts";
import { abortUpload, objectSize, putObject, putStream } from "./write-object.ts";

const filesFolder = "files/";
const writersFolder = "writers/";
const markKey = "mark";
const keyOf = (id: string) => `${filesFolder}${assertFileId(id)}`;
/** Names that are told of what lies in a place. */
const told = 4;

/**
 * Keeps each file as one object: below `files/` of the place, by its id. An object is replaced at once or not at all. What
 * is read and written is asked for by its key; only sweeps and starts list.
 * @param limits for tests
 */
export function s3FileStore(place: S3Place, limits?: S3Limits): FileStore {
  const client = createS3Client(place, limits);
  async function remove(key: string): Promise<void> {
    await client.ask({ method: "DELETE", action: "s3:DeleteObject", key, expects: [404] });
  }
  return {
    async write(id, content) {
      const key = keyOf(id);
      if (content instanceof Readable) return await putStream(client, place, key, content);
      return await putObject(client, key, typeof content === "string" ? Buffer.from(content) : content);
    },
    read: async (id, range) => await readObject(client, place, keyOf(id), range),
    size: async (id) => await objectSize(client, keyOf(id)),
    remove: async (id) => await remove(keyOf(id)),
    mayRemove: async () => true,
    async now() {
      const { headers } = await client.ask({
        ...{ method: "GET", action: "s3:GetObject", key: markKey, expects: [404] },
      });
      const now = new Date(headers.date ?? "");
      if (!Number.isNaN(now.getTime())) return now;
      throw new FilesError(
        "damaged",
        `The store of the bucket ${place.bucket} does not say what time it is`,
        "Look at the object store: each of its answers must have a Date",
      );
    },
    async *writtenBefore(then) {
      for await (const { key, writtenAt } of listObjects(client, place, filesFolder)) {
        const id = key.slice(filesFolder.length);
        if (isFileId(id) && writtenAt < then.getTime()) yield id;
      }
    },
    async removeCutOff(then) {
      let removed = 0;
      for await (const { key, uploadId, begunAt } of listUploads(client, place, filesFolder)) {
        if (begunAt >= then.getTime()) continue;
        await abortUpload(client, key, uploadId);
        removed++;
      }
      return removed;
    },
    async writers() {
      const names: string[] = [];
      for await (const { key } of listObjects(client, place, writersFolder))
        names.push(key.slice(writersFolder.length));
      return names;
    },
    async addWriter(name) {
      await putObject(client, `${writersFolder}${assertWriter(name)}`, Buffer.alloc(0));
    },
    async readMark() {
      const { status, text } = await client.ask({
        ...{ method: "GET", action: "s3:GetObject", key: markKey, expects: [404] },
      });
      return status === 404 ? null : text;
    },
    async writeMark(text) {
      await putObject(client, markKey, Buffer.from(text));
    },
    check: () => check(client, place, remove),
    async contents() {
      const names: string[] = [];
      for await (const { key } of listObjects(client, place, "")) {
        names.push(key);
        if (names.length === told) break;
      }
      return names;
    },
    async clear() {
      for await (const { key } of listObjects(client, place, "")) await remove(key);
    },
  };
}

/** Does once what the service does, each with the right that it needs. */
async function check(
  client: S3Client,
  place: S3Place,
  remove: (key: string) => Promise<void>,
): Promise<void> {
  const key = `probe-${randomBytes(6).toString("hex")}`;
  const content = randomBytes(16).toString("hex");
  // First the one that says what is wrong: whoever may not list hears of what is not there that it is forbidden.
  for await (const _ of listObjects(client, place, writersFolder)) break;
  await putObject(client, key, Buffer.from(content));
  const { text } = await client.ask({ method: "GET", action: "s3:GetObject", key });
  await remove(key);
  if (text === content) return;
  throw new FilesError(
    "damaged",
    `The bucket ${place.bucket} gave something else than was written into ${prefixed(place.prefix, key)}`,
    "Look at the object store: its reads must show what was written before",
  );
}
