import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { isWellFormed } from "../../service/credentials/key.ts";
import { startWorld, type World } from "./world.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The mean without the slowest twentieth, which is other work of the machine, and the square of its error. That counts
 * those left out as if they had been as slow as the slowest of the rest: without them the error would come out too small.
 */
function calm(values: readonly number[]): { readonly middle: number; readonly error: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const kept = sorted.slice(0, Math.floor(sorted.length * 0.95));
  const limited = sorted.map((value) => Math.min(value, kept.at(-1) ?? 0));
  const among = mean(limited);
  const squares = limited.map((value) => (value - among) ** 2);
  return {
    middle: mean(kept),
    error: squares.reduce((sum, square) => sum + square, 0) / (kept.length * (kept.length - 1)),
  };
}

/** Welch's t, with Yuen's error: how far two means are apart, measured by their own noise. */
function welch(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [calm(a), calm(b)];
  return Math.abs(one.middle - other.middle) / Math.sqrt(one.error + other.error);
}

test("S-37: a key that is nearly right takes as long to refuse as one that is all wrong", async () => {
  const { authenticator } = world.context;
  const right = world.credentials.owner ?? "";
  expect(isWellFormed(right)).toBe(true);
  const refuse = async (secret: string) => {
    const begun = performance.now();
    await expect(
      authenticator.authenticate({ secret, userHeader: null, endpoint: endpoints.listTeams }),
    ).rejects.toThrow();
    return performance.now() - begun;
  };
  // Made in the same way and beforehand: the right key but for its end, and one that is random from its kind on.
  const rounds = long ? 20_000 : 400;
  const noise = () => randomBytes(40).toString("hex");
  const wrongFrom = (from: number) =>
    Array.from({ length: rounds }, () => right.slice(0, from) + noise().slice(0, right.length - from));
  const keys = { near: wrongFrom(right.length - 12), far: wrongFrom(12) };
  const near: number[] = [];
  const far: number[] = [];
  for (let at = 0; at < rounds; at++) {
    // In turns, each first as often as the other.
    const order = at % 2 === 0 ? ([near, far] as const) : ([far, near] as const);
    for (const times of order) times.push(await refuse(keys[times === near ? "near" : "far"][at] ?? ""));
  }
  expect(welch(near, far)).toBeLessThan(4.5);
});

test("S-37: keys are found by their hash: what is sent to the database tells nothing of a key", async () => {
  const { pool } = world.context.store;
  const { rows } = await pool.query("select * from credentials");
  expect(rows.length).toBeGreaterThan(5);
  const secrets = Object.values(world.credentials).filter((secret) => secret !== null && secret !== "");
  const hashes = new Set(secrets.map((secret) => createHash("sha256").update(String(secret)).digest("hex")));
  expect(rows.filter(({ hash }) => hashes.has(hash.toString("hex"))).length).toBeGreaterThan(5);
  for (const row of rows) for (const secret of secrets) expect(Object.values(row)).not.toContain(secret);
});
