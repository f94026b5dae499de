import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { toJson } from "./json.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());

test("what JSON cannot carry into PostgreSQL is replaced, all else comes back as it was", async () => {
  const value = { text: "a\u0000b\ud800c 😀 \\u0000", list: [1, [2], { "k\u0000": null }] };
  const { rows } = await fresh.store.pool.query("select $1::jsonb as value", [toJson(value)]);
  expect(rows[0].value).toEqual({ text: "a\uFFFDb\uFFFDc 😀 \\u0000", list: [1, [2], { "k\uFFFD": null }] });
});
