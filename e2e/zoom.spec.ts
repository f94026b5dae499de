import { expectNoSidewaysScroll, signInByKey } from "./console.ts";
import { everyPageAt, healthy } from "./every-page.ts";
import { expect, stranger, test } from "./hostile.ts";
import { expectNoSkeleton } from "./settled.ts";

test.use({ viewport: { width: 320, height: 256 } });

test("at 400 % of a small window no page scrolls sideways, and each has one heading of the first level", async ({
  page,
  hostile,
}) => {
  hostile.on("*", healthy);
  await signInByKey(page, stranger);
  for (const address of everyPageAt(1))
    await test.step(address, async () => {
      await page.goto(address);
      await expectNoSkeleton(page);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expectNoSidewaysScroll(page);
    });
});

test("at 200 % text size on a phone what can be done on a page is within reach", async ({
  page,
  hostile,
}) => {
  hostile.on("*", healthy);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() =>
    addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.fontSize = "200%";
    }),
  );
  await signInByKey(page, stranger);
  for (const address of ["/", "/agents", "/artifacts"])
    await test.step(address, async () => {
      await page.goto(address);
      await expectNoSkeleton(page);
      await expectNoSidewaysScroll(page);
    });
});
