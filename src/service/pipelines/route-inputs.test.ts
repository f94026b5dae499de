import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routeInputs } from "./route-inputs.ts";

const none = new Map<string, string>();

describe("A named input", () => {
  test("gets the body field of its name before a listed one, and that before a header", () => {
    const inputs = ["Name"];
    const listed = [{ input_name: "Name", value: "listed" }];
    const headers = new Map([["name", "header"]]);
    expect(routeInputs(inputs, { Name: "body", pipeline_inputs: listed }, headers)).toEqual({ Name: "body" });
    expect(routeInputs(inputs, { pipeline_inputs: listed }, headers)).toEqual({ Name: "listed" });
    expect(routeInputs(inputs, { name: "other case" }, headers)).toEqual({ Name: "header" });
    expect(routeInputs(inputs, {}, none)).toEqual({});
    expect(routeInputs(inputs, { Name: null }, headers)).toEqual({ Name: null });
    const listedNull = [{ input_name: "Name", value: null }];
    expect(routeInputs(inputs, { pipeline_inputs: listedNull }, headers)).toEqual({ Name: null });
  });

  test("S-33 may be called anything, and fields of any name are plain data", () => {
    const names = ["files", "filepath", "headers", "query", "__proto__", "constructor", "$ref", "toString"];
    const body = JSON.parse(`{${names.map((name) => `"${name}": {"polluted": "${name}"}`).join(",")}}`);
    const inputs = routeInputs(names, body, none);
    expect(Object.keys(inputs).sort()).toEqual([...names].sort());
    for (const name of names)
      expect(Object.getOwnPropertyDescriptor(inputs, name)?.value).toEqual({ polluted: name });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(routeInputs(names, {}, none)).toEqual({});
  });

  test("gets what the rules say, whatever body and headers hold", () => {
    const name = fc.oneof(
      fc.constantFrom("a", "B", "__proto__", "pipeline_inputs"),
      fc.string({ minLength: 1 }),
    );
    const value = fc.jsonValue();
    const body = fc.dictionary(name, value);
    const entries = fc.array(fc.record({ input_name: name, value }), { maxLength: 3 });
    const headers = fc.array(
      fc.tuple(
        name.map((text) => text.toLowerCase()),
        fc.string(),
      ),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 4 }),
        body,
        entries,
        headers,
        (names, fields, list, pairs) => {
          const sent = JSON.parse(
            JSON.stringify({ ...fields, ...(list.length > 0 ? { pipeline_inputs: list } : {}) }),
          );
          const given = new Map(pairs);
          const inputs = routeInputs(names, sent, given);
          for (const key of names) {
            // A null is given, in the body as in the list.
            const listed = list.find((entry) => entry.input_name === key);
            const expected = Object.hasOwn(sent, key)
              ? sent[key]
              : listed === undefined
                ? given.get(key.toLowerCase())
                : listed.value;
            const found = Object.getOwnPropertyDescriptor(inputs, key)?.value;
            expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
          }
          expect(Object.keys(inputs).every((key) => names.includes(key))).toBe(true);
        },
      ),
    );
  });
});
