import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { agentChange, createAgent } from "./agents.ts";
import { endpoints } from "./endpoints.ts";
import { createEvaluation } from "./evaluations.ts";
import { createSource } from "./knowledge.ts";
import { fits, isBlank, name, textLimits } from "./limits.ts";
import { firstProblem } from "./problems.ts";

const problem = (schema: z.ZodMiniType, value: unknown) => {
  const { path, problem } = firstProblem(schema.safeParse(value).error?.issues ?? [], value);
  return `${path} ${problem}`.trim();
};

describe("S-80 a name", () => {
  it.each([
    ["spaces", "  \t\u00a0\u3000\u2003"],
    ["line ends and controls", "\n\r\u0085\u0007\u2028"],
    ["zero-width characters", "\u200b\u200c\u200d\u2060\ufeff\u180e"],
    ["Hangul fillers", "\u3164\u115f\u1160\uffa0"],
    ["Braille blanks", "\u2800\u2800"],
    ["marks without a letter", "\u0301\u0483\u20dd"],
    ["controls of direction", "\u202e\u2066\u200f\u061c"],
    ["variation selectors and tags", "\ufe0f\u{e0041}\u{e007f}\u034f\u00ad"],
    ["a null notehead and blank hieroglyphs", "\u{1d159}\u{13441}\u{13442}"],
  ])("is not %s alone", (_, blank) => {
    expect(isBlank(blank)).toBe(true);
    expect(problem(name, blank)).toBe("must not be blank");
    expect(name.safeParse(`${blank}a`).success).toBe(true);
  });

  it.each(["a", "0", "é", "日", "👩‍👩‍👧", "🇩🇪", "·", "‮x", "!"])("may be %s", (text) => {
    expect(name.safeParse(text).success).toBe(true);
  });

  it("has at most 200 characters, an emoji counting as one as JSON Schema counts", () => {
    expect(name.safeParse("😀".repeat(200)).success).toBe(true);
    expect(problem(name, "😀".repeat(201))).toBe("must have at most 200 characters");
    expect(problem(name, "")).toBe("must not be empty");
    expect(z.toJSONSchema(name)).toMatchObject({ type: "string", minLength: 1, maxLength: 200 });
    expect(fits("😀".repeat(1_000_000), 200)).toBe(false);
  });

  it.each([
    ["an agent", createAgent.body],
    ["an agent that is changed", agentChange],
    ["a source", createSource.body],
    ["a rubric", createEvaluation.body],
    ["a rubric that is changed", endpoints.updateEvaluation.body],
  ])("is one for %s too", (_, body) => {
    expect(problem(body, { name: "\u3164" })).toBe("name must not be blank");
    expect(problem(body, { name: "x".repeat(201) })).toBe("name must have at most 200 characters");
  });

  it("is one for criteria, data points and their ids", () => {
    const body = endpoints.updateEvaluationConfig.body;
    const row = { name: "\u2800", prompt: "p", data_type: "string" };
    expect(problem(body, { criteria: [row] })).toBe("criteria.0.name must not be blank");
    expect(problem(body, { data_points: [row] })).toBe("data_points.0.name must not be blank");
    expect(problem(body, { criteria: [{ ...row, name: "n", id: "x".repeat(201) }] })).toContain(
      "criteria.0.id",
    );
  });
});

describe("S-80 the texts and sections of an agent", () => {
  const long = (length: number) => "x".repeat(length);
  it.each([
    ["a prompt of 100,000 characters", { system_prompt: long(100_000) }, ""],
    [
      "a prompt that is too long",
      { system_prompt: long(textLimits.systemPrompt + 1) },
      "system_prompt must have at most 200,000 characters",
    ],
    [
      "a description that is too long",
      { description: long(textLimits.description + 1) },
      "description must have at most 20,000 characters",
    ],
    [
      "metadata of 4.8 MB",
      { metadata: { evaluation: { a: long(4_800_000) } } },
      "metadata must have at most 250,000 characters as JSON",
    ],
    [
      "too many tools",
      { tools: Array.from({ length: 129 }, () => ({ type: "x" })) },
      "tools must have at most 128 items",
    ],
    [
      "a tool that is too large",
      { tools: [{ type: "x", more: long(250_000) }] },
      "tools must have at most 250,000 characters as JSON",
    ],
    [
      "a tool with too many calls",
      { tools: [{ allowed_tool_call_ids: Array.from({ length: 257 }, String) }] },
      "tools.0.allowed_tool_call_ids must have at most 256 items",
    ],
    [
      "resources that are too large",
      { resources: [{ more: long(250_000) }] },
      "resources must have at most 250,000 characters as JSON",
    ],
  ])("have room for, or name, %s", (_, body, said) => {
    const parsed = agentChange.safeParse(body);
    expect(parsed.success ? "" : problem(agentChange, body)).toBe(said);
  });
});

/** How many faults a value of this schema can have at most: of every array all items, each with all that can be wrong. */
function mostFaults(schema: z.core.$ZodType): number {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const sum = (parts: readonly z.core.$ZodType[]) => parts.reduce((all, part) => all + mostFaults(part), 1);
  switch (def.type) {
    case "object":
      return sum([...Object.values(def.shape), ...(def.catchall ? [def.catchall] : [])]);
    case "array": {
      const most = z.toJSONSchema(schema, { unrepresentable: "any" }).maxItems ?? Number.POSITIVE_INFINITY;
      return 1 + most * mostFaults(def.element);
    }
    case "record":
      return isOpen(def.valueType) ? 1 : Number.POSITIVE_INFINITY;
    case "optional":
    case "nullable":
      return mostFaults(def.innerType);
    case "union":
      return sum(def.options);
    case "pipe":
      return mostFaults(def.in) + mostFaults(def.out);
    default:
      return 1;
  }
}
const isOpen = (schema: z.core.$ZodType) => ["unknown", "any"].includes(schema._zod.def.type);

describe("S-81 every array of every request", () => {
  it.each(Object.entries(endpoints))(
    "%s is bounded, so that a body has few faults whatever it holds",
    (_, endpoint) => {
      if (endpoint.body !== null) expect(mostFaults(endpoint.body)).toBeLessThanOrEqual(50_000);
    },
  );
});
