import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routeInputs } from "./routing.ts";

const inputs = ["carrier", "lanes", "write_to"].map((name) => ({ name, isFile: false }));

describe("which input gets what", () => {
  it("takes a body field of the same name, else a header in any case, else nothing", () => {
    const routed = routeInputs(inputs, { carrier: "DSV" }, [["Write_To", "table"]]);
    expect(routed.inputs.map((input) => input.origin)).toEqual([
      { from: "body", value: "DSV" },
      { from: "nothing" },
      { from: "header", header: "Write_To", value: "table" },
    ]);
    expect(routed.webhook).toBe('{"carrier":"DSV"}');
  });

  it("lets a body field beat a header, also an empty one", () => {
    const routed = routeInputs(inputs, { carrier: "" }, [["carrier", "x"]]);
    expect(routed.inputs[0]?.origin).toEqual({ from: "body", value: "" });
  });

  it("says which field fits no input, and which input it probably meant", () => {
    const routed = routeInputs(inputs, { lane: ["NL-PL"], ticket: 1 }, []);
    expect(routed.strays).toEqual([
      { name: "lane", meant: "lanes" },
      { name: "ticket", meant: null },
    ]);
    expect(routed.inputs[1]).toMatchObject({ name: "lanes", misspelt: "lane" });
  });

  it("never lets a credential or cookie header become an input", () => {
    for (const name of ["authorization", "x-auth-key", "cookie", "proxy-authorization", "host"]) {
      const routed = routeInputs([{ name, isFile: false }], {}, [[name.toUpperCase(), "secret"]]);
      expect(routed.inputs[0]?.origin).toEqual({ from: "nothing" });
    }
  });

  it("C-03: treats __proto__ and the like as plain names", () => {
    const body = JSON.parse('{"__proto__": "x", "constructor": 1}');
    const routed = routeInputs(
      [
        { name: "__proto__", isFile: false },
        { name: "toString", isFile: false },
      ],
      body,
      [],
    );
    expect(routed.inputs.map((input) => input.origin.from)).toEqual(["body", "nothing"]);
  });

  it("loses no field: each is an input's value or a stray", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const routed = routeInputs(inputs, body, []);
        const used = routed.inputs.filter((input) => input.origin.from === "body").map((input) => input.name);
        expect([...used, ...routed.strays.map((stray) => stray.name)].sort()).toEqual(
          Object.keys(body).sort(),
        );
      }),
    );
  });
});
