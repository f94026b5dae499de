import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { rulesOf } from "./useForm.ts";

const rules = rulesOf(
  z.object({
    name: z
      .string()
      .check(z.minLength(1, "must not be empty"), z.maxLength(5, "must have at most 5 characters")),
    kind: z.enum(["a", "b"]),
    rows: z.array(z.object({ prompt: z.string().check(z.minLength(1, "must not be empty")) })),
  }),
  { name: "It needs a name.", "rows.prompt": "Say what it looks at." },
);
const said = (part: object) =>
  rules({ name: "ok", kind: "a", rows: [], ...part }).map(({ path, message }) => [path.join("."), message]);

describe("the rules of a form", () => {
  it("say what is missing in the form's words, also where there are only blanks", () => {
    expect(said({ name: "  ", rows: [{ prompt: "x" }, { prompt: "\n" }] })).toEqual([
      ["name", "It needs a name."],
      ["rows.1.prompt", "Say what it looks at."],
    ]);
  });

  it("say everything else as the contract does", () => {
    expect(said({ name: "too long" })).toEqual([["name", "It must have at most 5 characters."]]);
  });

  it("C-02 leave a value that is not known to the service", () => {
    expect(said({ kind: "c" })).toEqual([]);
  });
});
