import fc from "fast-check";
import { expect, test } from "vitest";
import { compactJson } from "./JsonTree.tsx";
import { jsonStart, measure, preview, writeJson } from "./measure.ts";

const deep = (levels: number): unknown => {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { inner: value };
  return value;
};

test("what is copied is the value itself, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(JSON.parse((await writeJson(value)).join(""))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(jsonStart(value, 1e9))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(compactJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a value 10,000 levels deep is measured, previewed and written (C-09)", async () => {
  const value = deep(10_000);
  expect(measure(value).isWhole).toBe(true);
  expect(preview(value)).toBe("inner: 1 item");
  expect((await writeJson(value)).join("")).toContain("bottom");
});

test("a value with a million entries is looked at only as far as is needed (C-09)", () => {
  let looks = 0;
  const value = new Proxy(
    Array.from({ length: 1_000_000 }, (_, at) => ({ at })),
    {
      get: (list, name, receiver) => {
        looks++;
        return Reflect.get(list, name, receiver);
      },
    },
  );
  expect(measure(value).isWhole).toBe(false);
  expect(preview(value).length).toBeLessThan(130);
  expect(looks).toBeLessThan(100_000);
});
