import { expect, test } from "vitest";
import { joinNames } from "./join-names.ts";
import { counted, grouped } from "./words.ts";

test("a number has a comma before each thousand, and none behind the point", () => {
  const said = [0, 12, 999, 1000, 1_234_567, -1234, 1234.56789, 0.12345].map(grouped);
  expect(said).toEqual(["0", "12", "999", "1,000", "1,234,567", "-1,234", "1,234.56789", "0.12345"]);
});

test("a noun is counted in its own plural", () => {
  expect([counted(1, "run"), counted(1200, "run"), counted(2, "person", "people")]).toEqual([
    "1 run",
    "1,200 runs",
    "2 people",
  ]);
});

test("of many names the first are said and the rest is counted", () => {
  expect(joinNames(["Ada"])).toBe("Ada");
  expect(joinNames(["Ada", "Grace", "Mary"])).toBe("Ada, Grace and Mary");
  expect(joinNames(["Ada", "Grace", "Mary", "Ida", "Eva"])).toBe("Ada, Grace, Mary and 2 more");
});
