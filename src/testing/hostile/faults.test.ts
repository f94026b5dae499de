import { expect, test } from "vitest";
import { pairsOf, wrongValues } from "./faults.ts";

test("any two fields meet with any two kinds of fault, and with a healthy neighbour", () => {
  const kinds = [...Object.keys(wrongValues("")), "healthy"];
  const fields = Array.from({ length: 12 }, (_, at) => `f${at}`);
  const met = new Set<string>();
  for (const { kind, body } of pairsOf(Object.fromEntries(fields.map((name) => [name, name])))) {
    const kindOf = (name: string) =>
      kind
        .split(", ")
        .find((one) => one.startsWith(`${name} `))
        ?.slice(name.length + 1) ?? "healthy";
    for (const name of fields) {
      // What it says is what the body holds.
      const value = (body as Record<string, unknown>)[name];
      const told = kindOf(name);
      expect(value).toEqual(told === "healthy" ? name : wrongValues(name)[told]);
      for (const other of fields) if (name < other) met.add(`${name} ${told} ${other} ${kindOf(other)}`);
    }
  }
  const pairs = (fields.length * (fields.length - 1)) / 2;
  expect(met.size).toBe(pairs * kinds.length ** 2);
});
