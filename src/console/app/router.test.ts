import type { AnyRoute } from "@tanstack/react-router";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routeTree } from "./routeTree.gen.ts";

const withChildren = (route: AnyRoute): AnyRoute[] => [
  route,
  ...Object.values((route.children ?? {}) as Record<string, AnyRoute>).flatMap(withChildren),
];
type Reader = (raw: Record<string, unknown>) => Record<string, unknown>;

/** Which names a page reads is not written down anywhere: it is asked which it looks at. */
function namesOf(read: Reader): readonly string[] {
  const names = new Set<string>();
  read(new Proxy({}, { get: (_of, name) => void names.add(String(name)) }));
  return [...names];
}

const readers = withChildren(routeTree).flatMap((route) => {
  const reader: unknown = route.options.validateSearch;
  return typeof reader === "function" ? [[reader.name, reader as Reader] as const] : [];
});

describe("the address of a page", () => {
  it("is read by every page that keeps something in it", () => {
    expect(readers.length).toBeGreaterThan(10);
  });

  it.each(readers)(
    "as %s reads it may hold anything, is read the same again, and breaks nothing",
    (_, read) => {
      const names = namesOf(read);
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom("line", ...names), fc.jsonValue()), (raw) => {
          const once = read(raw);
          expect(read({ ...once })).toEqual(once);
        }),
      );
      for (const value of [
        { toString: false },
        [{ toString: 1, valueOf: 2 }],
        Number.NaN,
        -1,
        "\u0000",
        "9".repeat(400),
      ])
        read(Object.fromEntries(names.map((name) => [name, value])));
    },
  );

  it.each(readers)("as %s reads it holds nothing raw of what was not understood", (_, read) => {
    const names = namesOf(read);
    const raw = Object.fromEntries(names.map((name) => [name, { nonsense: true }]));
    // The router lays what was read over the raw address.
    expect({ ...raw, ...read(raw) }).toEqual({});
  });
});
