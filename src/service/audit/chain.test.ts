import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { createSigner } from "../credentials/signer.ts";
import type { Store } from "../store/store.ts";
import { auditKey } from "./chain.ts";
import { recordCommand } from "./record.ts";
import { AuditChainBroken, removeOldEntries, sealPending } from "./seal.ts";
import { verifyChain } from "./verify.ts";

let store: Store;
const key = auditKey(createSigner("a secret that only tests have, 32+"));
beforeAll(async () => {
  store = (await freshStore()).store;
});
afterAll(() => store.close());
afterEach(async () => {
  for (const table of ["audit_pending", "audit_log", "audit_head"])
    await sql`truncate ${sql.table(table)}`.execute(store.db);
});

const write = (name: string) =>
  recordCommand(store.db, { action: "key.create", object: { kind: "key", id: name, name } });

/** A chain of so many entries. */
async function chain(length: number): Promise<void> {
  for (let n = 1; n <= length; n++) await write(`key_${n}`);
  // In two steps: one seal goes into the next one's.
  await sealPending(store, key, 2);
  await sealPending(store, key);
}

const faults = async (noted: { position: number; seal: string } | null = null) =>
  (await verifyChain(store, key, noted)).problems.map(({ position, message }) => [position, message]);
const change = (text: string) => store.pool.query(text);

test("a chain that nobody has touched is whole, entries that wait for their seals aside", async () => {
  await chain(5);
  await write("later");
  const verified = await verifyChain(store, key);
  expect(verified).toMatchObject({ entries: 5, first: 1, pending: 1, problems: [], end: { position: 5 } });
  expect(await sealPending(store, key)).toBe(1);
  expect(await verifyChain(store, key, verified.end)).toMatchObject({ entries: 6, pending: 0, problems: [] });
});

test("S-414: whoever seals on what another secret has sealed is told so, once", async () => {
  await chain(1);
  const told: string[] = [];
  const other = auditKey(createSigner("another secret of tests, 32 characters"));
  for (const one of [other, other, key]) {
    await write("later");
    await sealPending(store, one, 500, (id) => told.push(id));
  }
  expect(told).toEqual([key.id, other.id]);
});

test("an empty log is whole", async () => {
  expect(await verifyChain(store, key)).toMatchObject({ entries: 0, first: null, problems: [] });
});

describe("S-121: what was done to the log behind the service is found, with its entry", () => {
  const altered = "is not what was sealed: it, or the seal before it, was altered.";
  test.each([
    [
      "another text",
      `update audit_log set entry = replace(entry::text, 'key_3', 'key_4')::json where position = 3`,
      [[3, `Entry 3 ${altered}`]],
    ],
    [
      "another time",
      "update audit_log set at = at + interval '1 microsecond' where position = 3",
      [[3, `Entry 3 ${altered}`]],
    ],
    [
      "a seal of one's own",
      "update audit_log set seal = sha256('mine') where position = 3",
      [
        [3, `Entry 3 ${altered}`],
        [4, `Entry 4 ${altered}`],
      ],
    ],
    ["an entry less", "delete from audit_log where position = 3", [[3, "Entry 3 is missing."]]],
    ["several less", "delete from audit_log where position in (2, 3)", [[2, "Entries 2 to 3 are missing."]]],
    ["the first less", "delete from audit_log where position = 1", [[1, "Entry 1 is missing."]]],
    ["the end cut off", "delete from audit_log where position > 3", [[4, "Entries 4 to 5 are missing."]]],
    [
      "an entry more at the end",
      "insert into audit_log (position, at, entry, key_id, seal) select 6, at, entry, key_id, seal from audit_log where position = 5",
      [[6, "Entry 6 was inserted after the end of the log."]],
    ],
    [
      "an entry before the beginning",
      "insert into audit_log (position, at, entry, key_id, seal) select 0, at, entry, key_id, seal from audit_log where position = 5",
      [[0, "Entry 0 was inserted before the beginning of the log."]],
    ],
    [
      "an entry put between others",
      `update audit_log set position = position + 100 where position > 3;
       update audit_log set position = position - 99 where position > 100;
       insert into audit_log (position, at, entry, key_id, seal)
       select 4, at, entry, key_id, seal from audit_log where position = 3`,
      [
        [4, `Entry 4 ${altered}`],
        [5, `Entry 5 ${altered}`],
        [6, "Entry 6 was inserted after the end of the log."],
      ],
    ],
    [
      "two entries in each other's place",
      `update audit_log a set entry = b.entry from audit_log b
        where (a.position, b.position) in ((2, 3), (3, 2))`,
      [
        [2, `Entry 2 ${altered}`],
        [3, `Entry 3 ${altered}`],
      ],
    ],
    [
      "an entry that says that another secret has sealed it",
      "update audit_log set key_id = 'other', entry = '{}' where position = 3",
      [
        [
          3,
          "Entry 3 came after entries that this secret has sealed, and is said to be sealed with another one (other): altered, unless the secret was another one for a while.",
        ],
      ],
    ],
    [
      "the end cut off, and the head set to it",
      `delete from audit_log where position > 3;
       update audit_head set last_position = 3, last_seal = (select seal from audit_log where position = 3)`,
      [[null, "What says where the log begins and ends was altered."]],
    ],
    ["the head gone", "delete from audit_head", [[null, "What says where the log begins and ends is gone."]]],
  ] as const)("%s", async (_, text, expected) => {
    await chain(5);
    await change(text);
    expect(await faults()).toEqual(expected);
  });

  test("all of it replaced by a chain that another secret has made", async () => {
    await chain(3);
    await change("truncate audit_log; truncate audit_head");
    const foreign = auditKey(createSigner("another secret, of whoever has the database"));
    await write("forged");
    await sealPending(store, foreign);
    const { problems, unverified } = await verifyChain(store, key);
    expect(problems).toEqual([]);
    expect(unverified.map(({ position }) => position)).toEqual([null, 1]);
    expect(unverified[0]?.message).toMatch(/sealed with another secret \(.{8}\), or by someone else/);
  });

  test("all of it replaced with the right secret, where its end was noted before", async () => {
    await chain(3);
    const { end } = await verifyChain(store, key);
    await change("truncate audit_log; truncate audit_head");
    await chain(2);
    expect(await faults()).toEqual([]);
    expect(await faults(end)).toEqual([[3, "Entry 3, which was noted, is missing."]]);
    await write("one more");
    await sealPending(store, key);
    expect((await faults(end))[0]?.[1]).toMatch(/another seal than the one that was noted/);
  });
});

test("S-121: nothing more is sealed onto a log whose end was altered, as that would hide it", async () => {
  await chain(3);
  await change("update audit_head set last_position = 2");
  await write("later");
  await expect(sealPending(store, key)).rejects.toThrow(AuditChainBroken);
  // Nor where its head is said to be another secret's, to be gone on from.
  await change(`delete from audit_log where position = 3; update audit_head set key_id = 'other',
    last_seal = (select seal from audit_log where position = 2)`);
  await expect(sealPending(store, key)).rejects.toThrow(AuditChainBroken);
  await change("delete from audit_head");
  await expect(sealPending(store, key)).rejects.toThrow(AuditChainBroken);
  expect(await verifyChain(store, key)).toMatchObject({ pending: 1 });
});

test("S-122: what retention removes is missed by nobody, and what stays is verified as before", async () => {
  await chain(5);
  const { end } = await verifyChain(store, key);
  await change("update audit_log set at = at - interval '40 days' where position <= 3");
  expect(await removeOldEntries(store, key, 30)).toBe(3);
  expect(await removeOldEntries(store, key, 30)).toBe(0);
  expect(await verifyChain(store, key, end)).toMatchObject({ entries: 2, first: 4, problems: [] });
  await write("later");
  await sealPending(store, key);
  await change("delete from audit_log where position = 4");
  expect(await faults()).toEqual([[4, "Entry 4 is missing."]]);
  expect((await faults({ position: 1, seal: "00000000" })).at(-1)?.[1]).toMatch(/removed by retention since/);
});

describe("S-155: after a change of the secret", () => {
  const before = auditKey(createSigner("the secret of before, of 32 characters or more"));
  beforeEach(async () => {
    for (const name of ["of before", "of before too"]) await write(name);
    await sealPending(store, before);
    await write("of now");
    expect(await sealPending(store, key)).toBe(1);
  });

  test("the log goes on; what another secret has sealed is not said to be altered, nor to be whole", async () => {
    const { problems, unverified } = await verifyChain(store, key);
    expect(problems).toEqual([]);
    expect(unverified).toEqual([
      {
        position: 1,
        message: `Entries 1 to 2 cannot be verified with this secret (${key.id}), as another one (${before.id}) sealed them.`,
      },
    ]);
    // The one of before alone cannot say where it ends now.
    expect((await verifyChain(store, before)).unverified.map(({ position }) => position)).toEqual([null]);
  });

  test("the secret of before verifies what it has sealed, and finds what was altered there", async () => {
    const verify = () => verifyChain(store, key, null, [before]);
    expect(await verify()).toMatchObject({ entries: 3, problems: [], unverified: [] });
    await change(`update audit_log set entry = replace(entry::text, 'too', 'two')::json where position = 2`);
    const found = await verify();
    expect(found.problems.map(({ position }) => position)).toEqual([2]);
    expect(found.unverified).toEqual([]);
  });

  test("what is altered and said to be of the former secret is found by it", async () => {
    await write("later");
    await sealPending(store, key);
    await change(`update audit_log set key_id = '${before.id}', entry = '{}' where position = 4`);
    const { problems } = await verifyChain(store, key, null, [before]);
    expect(problems.map(({ position }) => position)).toEqual([4]);
  });
});

test("S-122: an old entry behind a young one stays until that goes", async () => {
  await chain(3);
  await change("update audit_log set at = at - interval '40 days' where position in (1, 3)");
  expect(await removeOldEntries(store, key, 30)).toBe(1);
  expect((await verifyChain(store, key)).first).toBe(2);
});

test("S-121: two processes that seal at once give each entry one place", async () => {
  for (let n = 0; n < 40; n++) await write(`key_${n}`);
  for (let left = 40; left > 0; ) {
    const done = await Promise.all([1, 2, 3].map(() => sealPending(store, key, 7)));
    left -= done.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }
  expect(await verifyChain(store, key)).toMatchObject({ entries: 40, problems: [], pending: 0 });
});
