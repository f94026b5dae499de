import { signInByKey } from "./console.ts";
import { expect, stranger, test } from "./hostile.ts";
import { answerWithTables, tables, widthsOf } from "./tables.ts";

/** Between a phone and a desk, with and without room for a panel. */
const widths = [640, 768, 900, 1024, 1180];

test("every table uses the width that it has, and cuts no name while there is room for it", async ({
  page,
  hostile,
}) => {
  hostile.on("*", answerWithTables);
  await signInByKey(page, stranger);
  for (const { address, name } of tables) {
    await page.goto(address);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => widthsOf(page, name), `${name} at ${address}, ${width} px wide`).toEqual([]);
    }
  }
});
