import type { Locator } from "@playwright/test";
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

/** Texts of a part of the page that end in dots, with the px that they lack. */
const cutIn = (part: Locator) =>
  part.locator("*").evaluateAll((all) =>
    all.flatMap((one) => {
      const isCut =
        getComputedStyle(one).textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth + 1;
      return isCut ? [`${one.textContent}: ${one.scrollWidth - one.clientWidth}`] : [];
    }),
  );

for (const [many, grades] of [
  ["many", { pass: 30, needs_attention: 4 }],
  ["few", { pass: 9, needs_attention: 4 }],
] as const)
  test(`grades, their change and their days are read whole on every screen, of ${many} conversations`, async ({
    page,
    hostile,
  }) => {
    // As many in the period before.
    hostile.on("*", (request) => {
      const days = Number(request.query.get("days"));
      if (!request.path.endsWith("/evaluations/metrics")) return answerWithTables(request);
      const more = (count: number) => (days > 30 ? count * 2 : count);
      return {
        json: {
          ...{ days, tags: {} },
          grades: { pass: more(grades.pass), needs_attention: more(grades.needs_attention) },
          rubrics: [null, { id: "evaluation_1", name: "House style" }].map((rubric) => ({ rubric, grades })),
        },
      };
    });
    await signInByKey(page, stranger);
    for (const [address, part] of [
      ["/evaluations", page.getByRole("table", { name: "Evaluations by agent" })],
      ["/agents/ag_1/evaluations", page.getByRole("region", { name: "Grades" })],
      ["/agents/ag_1/evaluations", page.getByRole("table", { name: "By rubric" })],
      ["/agents/ag_1/evaluations", page.getByRole("table", { name: "Criteria" })],
      ["/agents/ag_1/evaluations?view=table", page.getByRole("region", { name: "Numbers per day" })],
    ] as const) {
      await page.goto(address);
      await expect(part).toBeVisible();
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const names = /^(Customer relations|Berth planning)/;
        await expect
          .poll(
            async () => (await cutIn(part)).filter((text) => !names.test(text)),
            `${address} at ${width} px`,
          )
          .toEqual([]);
      }
    }
  });
