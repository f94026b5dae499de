import { expect, test } from "vitest";
import { createRarity } from "./rarity.ts";

test("what was found to be rare or frequent is remembered, the last time alone, and not for ever", () => {
  let now = 0;
  const rarity = createRarity(() => now);
  expect(rarity.of("needle")).toBeNull();
  rarity.remember("needle", "rare");
  rarity.remember("needle", "frequent");
  expect(rarity.of("needle")).toBe("frequent");
  now += 600_000;
  expect(rarity.of("needle")).toBeNull();
});

test("of a thousand texts and one the one that was looked for longest ago is forgotten", () => {
  const rarity = createRarity(() => 0);
  rarity.remember("first", "rare");
  rarity.remember("second", "rare");
  rarity.remember("first", "rare");
  for (let n = 0; n < 999; n++) rarity.remember(`text ${n}`, "rare");
  expect([rarity.of("first"), rarity.of("second"), rarity.of("text 998")]).toEqual(["rare", null, "rare"]);
});
