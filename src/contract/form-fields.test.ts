import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CheckedField,
  checkForm,
  formFieldTypes,
  isDay,
  isLeftEmpty,
  valueProblem,
} from "./form-fields.ts";

const bound = fc.oneof(fc.constant(null), fc.integer({ min: -5, max: 50 }), fc.constant("2026-06-01"));
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
const field: fc.Arbitrary<CheckedField> = fc.record({
  name,
  type: fc.constantFrom(...formFieldTypes),
  required: fc.boolean(),
  min: bound,
  max: bound,
  whole: fc.boolean(),
  choices: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
});
const form = fc.uniqueArray(field, { selector: ({ name: key }) => key, maxLength: 6 });
/** What a stranger may send: JSON of every shape, and what looks like an answer. */
const hostile = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    "",
    " ",
    "\u200b",
    "a\nb",
    "\u0000",
    "2026-02-30",
    "2026-06-15",
    1e308,
    -0,
    2 ** 53,
    0.1,
    true,
  ),
  fc.string({ unit: "binary", maxLength: 1_200 }),
);

describe("S-113: the values of a form", () => {
  it("S-113: of any values whatever only those that fit get through, and what gets through fits", () => {
    fc.assert(
      fc.property(
        form,
        fc.array(hostile, { maxLength: 6 }),
        fc.dictionary(fc.string(), hostile),
        (fields, some, more) => {
          const given: Record<string, unknown> = JSON.parse(
            JSON.stringify({
              ...Object.fromEntries(fields.map(({ name: key }, at) => [key, some[at]])),
              ...more,
            }),
          );
          const checked = checkForm(fields, given);
          if (checked.ok) {
            expect(Object.keys(checked.values)).toEqual(fields.map(({ name: key }) => key));
            for (const one of fields) {
              const value = checked.values[one.name] ?? null;
              if (value === null) {
                expect(one.required).toBe(false);
                expect(isLeftEmpty(given[one.name])).toBe(true);
              } else {
                expect(valueProblem(one, value)).toBeNull();
                expect(value).toBe(given[one.name]);
              }
            }
            // What was taken is taken again as it is.
            expect(checkForm(fields, checked.values)).toEqual(checked);
          } else {
            const asked = fields.find(({ name: key }) => key === checked.name);
            const value = Object.hasOwn(given, checked.name) ? given[checked.name] : undefined;
            if (asked === undefined) expect(Object.hasOwn(given, checked.name)).toBe(true);
            else if (isLeftEmpty(value)) expect(asked.required).toBe(true);
            else expect(valueProblem(asked, value)).toBe(checked.problem);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each(["__proto__", "constructor", "toString"])("does not take what every object has for %s", (key) => {
    const fields = [{ name: "a", type: "text", required: false }];
    expect(checkForm(fields, JSON.parse(`{"${key}":"x"}`))).toMatchObject({ ok: false, name: key });
    expect(checkForm([{ name: "constructor", type: "text", required: true }], {})).toMatchObject({
      ok: false,
    });
  });

  it.each([
    ["text", { type: "text" }, ["a", "é".repeat(1_000)], ["a\nb", "x".repeat(1_001), 1, true, [], {}]],
    ["text in its bounds", { type: "text", min: 2, max: 3 }, ["ab", "😀😀😀"], ["a", "abcd"]],
    ["long text", { type: "long_text" }, ["a\nb", "x".repeat(10_000)], ["x".repeat(10_001), 1]],
    ["a number", { type: "number" }, [0, -1.5, 1e300], ["1", Number.NaN, Number.POSITIVE_INFINITY, true]],
    ["a whole number", { type: "number", whole: true, min: 0, max: 9 }, [0, 9], [0.5, -1, 10, 2 ** 53]],
    ["yes or no", { type: "boolean" }, [true, false], ["true", 0, 1]],
    ["a choice", { type: "choice", choices: ["a", "b"] }, ["a", "b"], ["c", "A", 1, ["a"]]],
    [
      "a date",
      { type: "date", min: "2026-01-01", max: "2026-12-31" },
      ["2026-01-01", "2026-12-31"],
      ["2025-12-31", "2027-01-01", "2026-02-29", "2026-1-1", "today", 20_260_101],
    ],
  ])("takes %s as its bounds say", (_, rules, good, bad) => {
    const one: CheckedField = { name: "a", ...rules };
    for (const value of good) expect([value, valueProblem(one, value)]).toEqual([value, null]);
    for (const value of bad) expect([value, valueProblem(one, value)]).toEqual([value, expect.any(String)]);
  });

  it("knows the days of the calendar", () => {
    expect(["2024-02-29", "2026-02-29", "2026-00-10", "2026-13-01", "0000-01-01"].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });
});
