import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makeFonts } from "./fonts.ts";

test("the console's fonts are what is made of their packages' files: npm run fonts", async () => {
  const made = await makeFonts();
  expect([...made.keys()]).not.toHaveLength(0);
  for (const [path, font] of made) {
    const kept = await readFile(new URL(`../${path}`, import.meta.url));
    expect(kept.equals(font), path).toBe(true);
  }
});
