import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeObject } from "../../testing/security/objects.ts";
import { startWorld, type World } from "../../testing/security/world.ts";
import { networkOf } from "../guessing/network.ts";
import { connectStore, type Store } from "../store/store.ts";
import { admitAttempt, backoffSeconds, forgiveAttempt } from "./link-attempts.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

let world: World;
let second: Store;
beforeAll(async () => {
  world = await startWorld();
  const { databaseUrl } = world.service;
  second = await connectStore({ connectionString: databaseUrl }, { log: world.context.log });
});
afterAll(async () => {
  await second.close();
  await world.stop();
});

const start = new Date("2026-11-20T08:00:00Z").getTime();
const at = (seconds: number) => async () => new Date(start + seconds * 1000);

describe("S-36: the network of an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "20010db800010002/64"],
    ["2001:db8:1:2::1", "20010db800010002/64"],
    ["2001:db8:1:3::1", "20010db800010003/64"],
    ["fe80::1%eth0", "fe80000000000000/64"],
    ["", "unknown"],
    ["somewhere", "unknown"],
  ])("of %j is %j", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("is the same for every address of one /64", () => {
    const parts = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(parts, (tail) => {
        const address = ["2001", "db8", "a", "b", ...tail.map((part) => part.toString(16))].join(":");
        expect(networkOf(address)).toBe("20010db8000a000b/64");
      }),
    );
  });
});

describe("S-36: the wait before the next try", () => {
  const waitAfter = (tries: number, sinceNewest = 0) => {
    const ages = Array.from({ length: tries }, (_, index) => sinceNewest + index);
    return backoffSeconds({ byAnybody: ages, byNetwork: ages });
  };

  test("is none for ten tries, and then doubles to 25 seconds", () => {
    expect([0, 1, 9].map((tries) => waitAfter(tries))).toEqual([0, 0, 0]);
    const waits = [10, 11, 12, 13, 14, 15, 16, 40].map((tries) => waitAfter(tries));
    expect(waits).toEqual([1, 2, 4, 8, 16, 25, 25, 25]);
    expect([waitAfter(13, 7.5), waitAfter(13, 8)]).toEqual([0.5, 0]);
  });

  test("is until the first of sixty is an hour old, whoever made them", () => {
    const ages = Array.from({ length: 60 }, (_, index) => index * 10);
    expect(backoffSeconds({ byAnybody: ages, byNetwork: [] })).toBe(3_600 - 590);
    expect(backoffSeconds({ byAnybody: ages.slice(1), byNetwork: [] })).toBe(0);
  });
});

describe("S-36: tries of one link", () => {
  const admit = async (link: string, network: string, seconds: number, store = world.context.store) =>
    (await admitAttempt(store, link, network, at(seconds))).type === "admitted";

  test("count each other in two processes at the same time", async () => {
    const link = await makeObject(world.context, "artifact", "own");
    const tries = Array.from({ length: 40 }, (_, index) =>
      admit(link, "192.0.2.1", 0, index % 2 === 0 ? world.context.store : second),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(10);
  });

  test("of one network do not slow another one down, nor another link", async () => {
    const link = await makeObject(world.context, "artifact", "own");
    for (let index = 0; index < 10; index++) expect(await admit(link, "192.0.2.1", 0)).toBe(true);
    expect(await admit(link, "192.0.2.1", 0.5)).toBe(false);
    expect(await admit(link, "192.0.2.2", 0.5)).toBe(true);
    const other = await makeObject(world.context, "artifact", "own");
    expect(await admit(other, "192.0.2.1", 0.5)).toBe(true);
    expect(await admit(link, "192.0.2.1", 1)).toBe(true);
    expect(await admit(link, "192.0.2.1", 2)).toBe(false);
    expect(await admit(link, "192.0.2.1", 3)).toBe(true);
  });

  test("that fit are forgotten, and set their network free, but not what others guessed", async () => {
    const link = await makeObject(world.context, "artifact", "own");
    for (let index = 0; index < 9; index++) await admit(link, "192.0.2.1", 0);
    const right = await admitAttempt(second, link, "192.0.2.1", at(0));
    if (right.type !== "admitted") throw new Error("not admitted");
    await forgiveAttempt(second, link, "192.0.2.1", right.attemptId);
    for (let index = 0; index < 10; index++) expect(await admit(link, "192.0.2.1", 0)).toBe(true);
    let more = 0;
    for (let index = 0; index < 60; index++) if (await admit(link, `192.0.3.${index}`, 0)) more++;
    expect(more).toBe(60 - 19);
  });

  test("S-183: from everywhere keep nobody out whose network knew the password before, and who guesses there still waits", async () => {
    const link = await makeObject(world.context, "artifact", "own");
    const right = await admitAttempt(second, link, "192.0.2.1", at(0));
    if (right.type !== "admitted") throw new Error("not admitted");
    await forgiveAttempt(second, link, "192.0.2.1", right.attemptId);
    for (let index = 0; index < 70; index++) await admit(link, `192.0.3.${index}`, 1);
    expect(await admit(link, "192.0.2.2", 2)).toBe(false);
    for (let index = 0; index < 10; index++) expect(await admit(link, "192.0.2.1", 2)).toBe(true);
    expect(await admit(link, "192.0.2.1", 2.5)).toBe(false);
    // Once that is long ago, it is a network like any other.
    await world.context.store.pool.query("update link_visitors set seen_at = $1", [
      new Date(start - 31 * 86_400_000),
    ]);
    expect(await admit(link, "192.0.2.1", 4)).toBe(false);
  });

  test(`of ${long ? "100,000" : "2,000"} guesses from changing addresses no more than 60 in any hour are compared`, async () => {
    const link = await makeObject(world.context, "artifact", "own");
    const guesses = long ? 100_000 : 2_000;
    const hours = 5;
    const admitted: number[] = [];
    let refused = 0;
    for (let index = 0; index < guesses; index++) {
      const seconds = Math.round((index / guesses) * hours * 3_600_000) / 1_000;
      const network = networkOf(`10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`);
      const store = index % 2 === 0 ? world.context.store : second;
      if (await admit(link, network, seconds, store)) admitted.push(seconds);
      else refused++;
    }
    expect(refused + admitted.length).toBe(guesses);
    // Whoever guesses evenly gets exactly the cap, and no window of an hour has more.
    expect(admitted).toHaveLength(60 * hours);
    for (const [index, first] of admitted.entries()) {
      const sixtyFirst = admitted[index + 60];
      if (sixtyFirst !== undefined)
        expect(Math.round((sixtyFirst - first) * 1_000)).toBeGreaterThanOrEqual(3_600_000);
    }
    const kept = await world.context.store.db
      .selectFrom("link_tries")
      .selectAll()
      .where("artifact_id", "=", link)
      .execute();
    expect(kept.length).toBeLessThanOrEqual(60);
  });
});
