import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUpInto, backupSecret, restoreFrom, testFolder } from "../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase, type FreshStore, freshStore } from "../../testing/database.ts";
import { directoryFileStore } from "../files/file-store.ts";
import { BackupError } from "./backup-error.ts";
import { backupKey, digestLength, digestOf, firstLine, headLength, headOf, mostInFrame } from "./format.ts";
import { checkBackup, openBackup, secretOf } from "./open-backup.ts";
import { unpack } from "./read-frames.ts";

const folder = testFolder();
let source: FreshStore;
let target: EmptyDatabase;
let good: Buffer;
beforeAll(async () => {
  source = await freshStore();
  target = await emptyDatabase();
  await directoryFileStore(folder.in("source")).write("file-of-some-run", "x".repeat(300_000));
  await source.store.pool.query(`
    insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}');
    insert into run_files (id, execution_id, name, media_type, size) values ('file-of-some-run', 'run', 'a', 'text/plain', 1);`);
  await backUpInto(folder.in("good"), { url: source.url, files: folder.in("source") });
  good = readFileSync(folder.in("good"));
});
afterAll(async () => {
  await source.drop();
  await target.drop();
  folder.remove();
});

/** What is said of a file with these bytes by whoever reads all of it, as a restore does first. */
async function verdict(bytes: Uint8Array, secret: string | null = backupSecret): Promise<string> {
  const path = folder.in("tried");
  writeFileSync(path, bytes);
  try {
    const backup = await openBackup(path);
    try {
      const key = backupKey(secretOf(backup, secret === null ? null : { secret, from: "the test" }));
      await checkBackup(backup, key, () => {}, new AbortController().signal);
      return "whole";
    } finally {
      await backup.file.close();
    }
  } catch (error) {
    return error instanceof BackupError ? error.kind : `unexpected: ${String(error)}`;
  }
}

/** Where the frames of a backup begin. */
function framesOf(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (
    let at = firstLine.length;
    at < bytes.length;
    at += headLength + bytes.readUInt32BE(at + 4) + digestLength
  )
    starts.push(at);
  return starts;
}

/** The same with each frame's content changed, and digests that fit: by somebody who has no secret. */
function forged(bytes: Buffer, change: (content: string) => string): Buffer {
  const parts: Buffer[] = [firstLine];
  let digest: Buffer = Buffer.alloc(0);
  for (const at of framesOf(bytes)) {
    const length = bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + headLength, at + headLength + length);
    const isData = bytes[at] === 3;
    const next = isData ? content : Buffer.from(change(content.toString("utf8")));
    const head = Buffer.from(bytes.subarray(at, at + headLength));
    head.writeUInt32BE(next.length, 4);
    digest = digestOf(digest, head, next);
    parts.push(head, next, digest);
  }
  return Buffer.concat(parts);
}

describe("a file that is no whole backup of this installation", () => {
  it("S-98: is told from a whole one wherever it was cut off, and wherever a bit of it was changed", async () => {
    expect(await verdict(good)).toBe("whole");
    const position = fc.integer({ min: 0, max: good.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, async (length) => {
        expect(await verdict(good.subarray(0, length))).toBe(length === 0 ? "foreign" : "truncated");
      }),
      { numRuns: 60 },
    );
    for (const at of framesOf(good).slice(1)) expect(await verdict(good.subarray(0, at))).toBe("truncated");
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const changed = Buffer.from(good);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(["altered", "truncated", "foreign", "newer"]).toContain(await verdict(changed));
      }),
      { numRuns: 100 },
    );
  });

  it("S-98: is refused by what it is: foreign, of a newer form or release, of another secret, longer, forged", async () => {
    expect(await verdict(Buffer.from("PK\u0003\u0004 a zip file, which is something else"))).toBe("foreign");
    expect(await verdict(Buffer.from("wheelhouse backup 2\nand something else"))).toBe("newer");
    expect(
      await verdict(forged(good, (text) => text.replace(/"migrations":\["/, '"migrations":["9999_later","'))),
    ).toBe("newer");
    expect(await verdict(good, "another secret, of another installation")).toBe("wrong_secret");
    expect(await verdict(good, null)).toBe("missing_secret");
    expect(await verdict(Buffer.concat([good, Buffer.from("more")]))).toBe("altered");
    expect(await verdict(forged(good, (text) => text))).toBe("whole");
    expect(await verdict(forged(good, (text) => text.replace("file-of-some-run", "file-of-some-one")))).toBe(
      "altered",
    );
    expect(await verdict(forged(good, (text) => text.replace(/"missing":0/, '"missing":9')))).toBe("altered");
    const [first = 0, second = 0] = framesOf(good);
    const head = Buffer.concat([good.subarray(0, second), headOf("part", 0, 2 ** 32 - 1)]);
    expect(await verdict(head)).toBe("altered");
    expect(await verdict(Buffer.concat([good.subarray(0, first), good.subarray(second)]))).toBe("altered");
  });

  it("S-98: unpacks no more than a frame may hold", async () => {
    const bomb = deflateRawSync(Buffer.alloc(50_000_000));
    // Not what it gives itself: what is shown of a failure would be as large.
    const outcome = unpack(bomb, true).then(
      ({ length }) => length,
      (error: unknown) => (error instanceof BackupError ? error.kind : error),
    );
    expect(await outcome).toBe("altered");
    expect((await unpack(deflateRawSync(Buffer.alloc(mostInFrame)), true)).length).toBe(mostInFrame);
  });

  it("S-98: leaves nothing where it was to be restored to, and so does one that does not fit into the database", async () => {
    const nothing = async () => {
      const store = await target.open();
      await store.close();
    };
    for (const bytes of [good.subarray(0, good.length - 10), Buffer.from("no backup")]) {
      writeFileSync(folder.in("bad"), bytes);
      await expect(
        restoreFrom(folder.in("bad"), { url: target.url, files: folder.in("copy") }),
      ).rejects.toThrow(BackupError);
    }
    // Whole, and of somebody with the secret; its rows are not.
    await source.store.pool.query("alter table sign_in_links drop constraint sign_in_links_user_id_fkey");
    await source.store.pool.query(
      "insert into sign_in_links (hash, user_id, expires_at) values ('x', 'user_of_nobody', now())",
    );
    await backUpInto(folder.in("odd"), { url: source.url, files: folder.in("source") });
    await expect(
      restoreFrom(folder.in("odd"), { url: target.url, files: folder.in("copy") }),
    ).rejects.toThrow(/foreign key/);
    expect(await directoryFileStore(folder.in("copy")).size("file-of-some-run")).toBeNull();
    await restoreFrom(folder.in("good"), { url: target.url, files: folder.in("copy") });
    await nothing();
    for (const url of [target.url, source.url]) {
      const again = restoreFrom(folder.in("good"), { url, files: folder.in("other") });
      await expect(again).rejects.toMatchObject({ kind: "not_empty" });
    }
    const into = restoreFrom(folder.in("good"), { url: target.url, files: folder.in("copy") });
    await expect(into).rejects.toThrow(/copy is not empty/);
    rmSync(folder.in("copy"), { recursive: true });
  });
});
