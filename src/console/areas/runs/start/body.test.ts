import { describe, expect, it } from "vitest";
import { bodyOfForm, formOfBody, readBody } from "./body.ts";

describe("the raw body", () => {
  it("is an object, or says what is wrong and where", () => {
    expect(readBody('{"a": 1}')).toEqual({ ok: true, body: { a: 1 } });
    expect(readBody("  ")).toEqual({ ok: true, body: {} });
    expect(readBody("[1]")).toMatchObject({ ok: false, line: 1 });
    expect(readBody("null")).toMatchObject({ ok: false });
    expect(readBody('{\n  "a": 1,\n  b\n}')).toMatchObject({ ok: false, line: 3 });
  });

  it("has only what the form was given", () => {
    expect(bodyOfForm({ a: "x", b: "" })).toEqual({ a: "x" });
  });

  it("goes into the form and back, numbers and lists as JSON", () => {
    expect(formOfBody({ a: "x", b: [1, 2], c: 1, other: true }, ["a", "b", "c", "toString"])).toEqual({
      a: "x",
      b: "[1,2]",
      c: "1",
    });
  });
});
