import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fileStoreSuite } from "../../../testing/file-store-suite.ts";
import { type S3Fault, type S3Server, startS3Server } from "../../../testing/s3-server.ts";
import type { S3Place } from "../../config.ts";
import { directoryFileStore, type FileStore } from "../file-store.ts";
import { usualLimits } from "./client.ts";
import { readObject } from "./read-object.ts";
import { s3FileStore } from "./s3-file-store.ts";
import { partBytes } from "./write-object.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-files-"));
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("files in a folder", () => fileStoreSuite(() => directoryFileStore(folder)));
describe("files in a bucket", () => fileStoreSuite(() => s3FileStore(server.place({ prefix: "" }))));
describe("files below a prefix of a bucket", () => fileStoreSuite(() => s3FileStore(server.place())));

/** As ever, without the waits. */
const quick = { ...usualLimits, firstWaitMs: 1, lastBeginMs: 60_000 };
const store = (changes?: Partial<S3Place>) => s3FileStore(server.place(changes), quick);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );
const readAll = async (files: FileStore, id: string) =>
  await buffer((await files.read(id)) ?? Readable.from([]));

/** No server breaks off reliably between its last byte and the end of its answer. */
async function* breaksBehind(whole: Buffer) {
  yield whole;
  throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
}

describe("an object store on which something goes wrong", () => {
  const bytes = Buffer.from(Array.from({ length: 500_000 }, (_, at) => at % 251));
  const inBucket = (id: string) => server.objects.get(`some/where/files/${id}`)?.bytes;
  /** The first requests that fit have these faults, one after the other; the others none. */
  const faults = (method: string, ...list: S3Fault[]) => {
    server.asked.length = 0;
    server.fault = (asked) => (asked.method === method ? (list.shift() ?? null) : null);
  };
  afterEach(() => {
    server.fault = () => null;
  });
  const busy: S3Fault = { type: "answer", status: 503, code: "SlowDown" };

  test("S-140: a write whose connection is cut, or that is told to slow down, is done once more, and once", async () => {
    faults("PUT", { type: "cut-upload" }, busy, { type: "lost-answer" });
    expect(await store().write("file_retry", bytes)).toBe(bytes.length);
    expect(inBucket("file_retry")?.equals(bytes)).toBe(true);
    faults("DELETE", busy, { type: "lost-answer" });
    await store().remove("file_retry");
    expect(inBucket("file_retry")).toBeUndefined();
  });

  test("S-140: one that is refused for what it is is not tried again", async () => {
    faults("PUT", { type: "answer", status: 403, code: "AccessDenied" });
    expect(await failure(store().write("file_never", "x"))).toMatchObject({ kind: "refused" });
    expect(server.asked).toEqual(["PUT some/where/files/file_never"]);
  });

  test("S-140: a store that stays away is given up, as one that may be there later", async () => {
    server.fault = () => busy;
    server.asked.length = 0;
    expect(await failure(store().write("file_never", "x"))).toMatchObject({
      kind: "unavailable",
      found: expect.stringContaining("503 SlowDown"),
    });
    expect(server.asked).toHaveLength(quick.attempts);
    server.fault = () => ({ type: "silence" });
    expect(
      await failure(s3FileStore(server.place(), { ...quick, attempts: 2, answerMs: 500 }).size("file_never")),
    ).toMatchObject({
      kind: "unavailable",
      found: expect.stringContaining("did not answer in time"),
    });
  });

  test("S-141: a download that is cut goes on where it was cut, of the same state of the file alone", async () => {
    await store().write("file_cut1", bytes);
    faults("GET", { type: "cut-download", after: 100_000 }, busy, { type: "cut-download", after: 7 });
    expect((await readAll(store(), "file_cut1")).equals(bytes)).toBe(true);
    expect(server.asked).toHaveLength(4);
    faults("GET", { type: "cut-download", after: 100_000 });
    const range = await store().read("file_cut1", { start: 50, end: 300_000 });
    expect(range !== null && (await buffer(range)).equals(bytes.subarray(50, 300_001))).toBe(true);
    faults("GET", { type: "cut-download", after: 100_000 });
    const second = await store().read("file_cut1", { start: 0, end: bytes.length - 1 });
    await store().write("file_cut1", Buffer.alloc(bytes.length, "of another state"));
    expect(await failure(buffer(second ?? Readable.from([])))).toMatchObject({ kind: "unavailable" });
  });

  test("S-141: what is cut behind its last byte is whole, and what cannot go on in the middle says what was answered", async () => {
    const headers = { etag: '"one"', "content-length": String(bytes.length) };
    const open = async () => ({ status: 200, headers, body: Readable.from(breaksBehind(bytes)) });
    const client = { open, ask: () => Promise.reject(new Error("nothing else is asked")) };
    const stream = await readObject(client, server.place(), "file_cut3", undefined);
    expect((await buffer(stream ?? Readable.from([]))).equals(bytes)).toBe(true);
    await store().write("file_cut3", bytes);
    faults("GET", { type: "cut-download", after: 100_000 }, { type: "answer", status: 200, code: "Whole" });
    expect(await failure(readAll(store(), "file_cut3"))).toMatchObject({
      kind: "unavailable",
      found: expect.stringContaining("it answered 200"),
    });
  });

  test("S-141: a part of a file is that part also where the store knows no ranges, and answers with all of it", async () => {
    const headers = { "content-length": String(bytes.length) };
    const open = async () => ({ status: 200, headers, body: Readable.from([bytes]) });
    const ask = async () => ({ status: 200, headers, text: "" });
    for (const range of [
      { start: 0, end: 9 },
      { start: 499_990, end: 499_999 },
    ]) {
      const part = await readObject({ open, ask }, server.place(), "file_parts", range);
      expect(part !== null && (await buffer(part))).toEqual(bytes.subarray(range.start, range.end + 1));
    }
  });

  test("S-141: one that never gets further ends with an error, and not as a shorter file", async () => {
    await store().write("file_cut2", bytes);
    server.fault = ({ method }) => (method === "GET" ? { type: "cut-download", after: 0 } : null);
    const stream = await store().read("file_cut2");
    expect(await failure(buffer(stream ?? Readable.from([])))).toMatchObject({ kind: "unavailable" });
  });

  test("S-142: bytes that are not what was written are not given to their end", async () => {
    await store().write("file_bit1", bytes);
    faults("GET", { type: "flip-bit" });
    const stream = await store().read("file_bit1");
    let got = 0;
    stream?.on("data", (chunk: Buffer) => {
      got += chunk.length;
    });
    const error = await new Promise((resolve) =>
      stream?.once("error", resolve).once("end", () => resolve(null)),
    );
    expect(error).toMatchObject({ kind: "damaged" });
    expect(got).toBeLessThan(bytes.length);
    // The other way: what arrives there as something else is refused there, and sent again.
    expect((await readAll(store(), "file_bit1")).equals(bytes)).toBe(true);
  });

  test("S-143: an upload in parts that fails leaves no parts; one whose end got lost is not done twice", async () => {
    const parts = () => Readable.from([bytes, Buffer.alloc(2 * partBytes), bytes]);
    server.fault = ({ query }) =>
      query.get("partNumber") === "3" ? { type: "answer", status: 403, code: "AccessDenied" } : null;
    expect(await failure(store().write("file_part1", parts()))).toMatchObject({ kind: "refused" });
    expect([server.uploads.size, inBucket("file_part1")]).toEqual([0, undefined]);
    const list: S3Fault[] = [{ type: "lost-answer" }];
    server.fault = ({ method, query }) =>
      method === "POST" && query.has("uploadId") ? (list.shift() ?? null) : null;
    expect(await store().write("file_part1", parts())).toBe(2 * partBytes + 2 * bytes.length);
    expect(inBucket("file_part1")?.length).toBe(2 * partBytes + 2 * bytes.length);
    // One of a process that was killed.
    server.uploads.set("left", {
      key: "some/where/files/file_part2",
      parts: new Map(),
      begunAt: new Date(1e12),
    });
    expect(await store().removeCutOff(new Date(1e12))).toBe(0);
    expect(await store().removeCutOff(new Date(1e12 + 1))).toBe(1);
    expect(server.uploads.size).toBe(0);
  });

  test("S-141: that its bucket is gone is not that a file is", async () => {
    const files = store({ bucket: "elsewhere" });
    const works = [() => files.read("file_one1"), () => files.readMark(), () => files.remove("file_one1")];
    // One after the other: what fails while another is waited for would be nobody's.
    for (const work of works) expect(await failure(work())).toMatchObject({ kind: "refused" });
  });

  test.each([-1, 1])(
    "S-257: a store whose clock is %i days ahead of this machine's is asked by its own",
    async (days) => {
      server.aheadMs = days * 86_400_000;
      const files = store();
      await files.write("file_skewed1", "in time");
      // The answer to HEAD does not say why it refuses.
      expect(await store().size("file_skewed1")).toBe(7);
      server.asked.length = 0;
      expect(await text((await files.read("file_skewed1")) ?? Readable.from([]))).toBe("in time");
      // What it was told once it knows.
      expect(server.asked).toEqual(["GET some/where/files/file_skewed1"]);
      server.aheadMs = 0;
    },
  );

  test("reads and writes without listing", async () => {
    server.asked.length = 0;
    await store().write("file_hot1", "x");
    await readAll(store(), "file_hot1");
    await store().size("file_hot1");
    await store().remove("file_hot1");
    expect(server.asked.map((one) => one.replace(/ .*/, ""))).toEqual(["PUT", "GET", "HEAD", "DELETE"]);
  });

  test("names the bucket in the host where it is told to", async () => {
    const { port } = new URL(server.endpoint);
    const here = { address: "127.0.0.1", family: 4 };
    const files = s3FileStore(
      server.place({ addressing: "virtual", endpoint: `http://s3.example:${port}` }),
      { ...quick, lookup: (_, { all }, done) => (all ? done(null, [here]) : done(null, here.address, 4)) },
    );
    await files.write("file_host1", "by its name");
    expect(await text((await files.read("file_host1")) ?? Readable.from([]))).toBe("by its name");
    expect(inBucket("file_host1")?.toString()).toBe("by its name");
  });
});

describe("what is wrong at the start is said by the setting that it is about", () => {
  const wrong = async (changes: Partial<S3Place>) => {
    const error = await failure(store(changes).check());
    return error instanceof Error ? error.message : "nothing is wrong";
  };
  const { credentials } = {
    credentials: { accessKeyId: "AKIDOFTESTS", secretAccessKey: "a/secret+of=tests", sessionToken: null },
  };
  afterEach(() => {
    server.fault = () => null;
    server.aheadMs = 0;
  });
  const host = () => new URL(server.endpoint).host;

  test("a bucket that is not there", async () => {
    expect(await wrong({ bucket: "elsewhere" })).toBe(
      `There is no bucket elsewhere at ${host()}. Make it, or name another one with --files.`,
    );
  });
  test("a key that it does not know, and a secret that is another's", async () => {
    expect(await wrong({ credentials: { ...credentials, accessKeyId: "AKIDUNKNOWN" } })).toBe(
      `${host()} does not know the key in AWS_ACCESS_KEY_ID. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key of it.`,
    );
    expect(await wrong({ credentials: { ...credentials, secretAccessKey: "another" } })).toContain(
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key of it, and AWS_REGION",
    );
  });
  test("a token that has expired", async () => {
    expect(await wrong({ credentials: { ...credentials, sessionToken: "of yesterday" } })).toContain(
      "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN to new ones",
    );
  });
  test("S-144: a region that is another's is said by its variable", async () => {
    expect(await wrong({ region: "us-east-1" })).toBe(
      "The bucket wheelhouse is in the region eu-test-1, not us-east-1. Set AWS_REGION=eu-test-1.",
    );
    server.fault = () => ({
      ...{ type: "answer", status: 301, code: "PermanentRedirect" },
      headers: { "x-amz-bucket-region": "ap-test-2" },
    });
    expect(await wrong({})).toContain("Set AWS_REGION=ap-test-2.");
  });
  test("S-144: a clock that is an hour behind, and cannot be allowed for, is said by how much", async () => {
    server.aheadMs = 3_600_000;
    server.fault = () => ({ type: "answer", status: 403, code: "RequestTimeTooSkewed" });
    expect(await wrong({})).toBe(
      `The clock of this machine is 60 min behind that of ${host()}. Set it, and keep it by a time service.`,
    );
  });
  test("an endpoint where nothing answers", async () => {
    expect(await wrong({ endpoint: "http://127.0.0.1:9" })).toBe(
      "127.0.0.1:9 refused the connection. Look at AWS_ENDPOINT_URL_S3 and AWS_REGION, and whether the object store runs.",
    );
  });
  test.each([
    ["GET", "", "may not list the bucket", "s3:ListBucket"],
    ["PUT", "probe", "may not write files into", "s3:PutObject"],
    ["GET", "probe", "may not read files from", "s3:GetObject"],
    ["DELETE", "probe", "may not remove files from", "s3:DeleteObject"],
  ])("no right for %s %s", async (method, beginning, found, right) => {
    server.fault = (asked) =>
      asked.method === method && (beginning === "" ? asked.key === "" : asked.key.includes(beginning))
        ? { type: "answer", status: 403, code: "AccessDenied" }
        : null;
    const said = await wrong({});
    expect(said).toContain(found);
    expect(said).toContain(`Give it the right ${right}`);
  });
  test("none of it has the secret in it", async () => {
    server.fault = () => ({ type: "answer", status: 403, code: "AccessDenied" });
    const error = await failure(store().check());
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("a/secret");
  });
});
