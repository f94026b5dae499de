import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { type EndpointName, endpoints } from "./endpoints.ts";
import { firstProblem } from "./problems.ts";

/**
 * Answers written by hand from the contract's tables and the public documentation of the API, never from our own
 * output, so that console and service cannot be wrong together.
 */
interface Example {
  readonly endpoint: EndpointName;
  readonly title: string;
  /** Where its fields come from. */
  readonly from: string;
  readonly body: unknown;
  /** Beginnings of paths whose values the interface leaves open, or fields that it does not know. */
  readonly open?: readonly string[];
}

const folder = new URL("./golden/", import.meta.url);
const examples: Example[] = readdirSync(folder)
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Example[]);

const schemaOf = (name: EndpointName): z.ZodMiniType => {
  const { response } = endpoints[name];
  if (typeof response === "string") throw new Error(`${name} answers no JSON`);
  return response;
};

describe("the golden examples", () => {
  it("show every answer in JSON at least once", () => {
    const names = (Object.keys(endpoints) as EndpointName[]).filter(
      (name) => typeof endpoints[name].response === "object",
    );
    const shown = [...new Set(examples.map(({ endpoint }) => endpoint))].sort();
    expect(shown, "write an answer by hand in src/contract/golden").toEqual(names.sort());
  });
});

describe.each(examples)("$endpoint: $title ($from)", ({ endpoint, body, open = [] }) => {
  const schema = schemaOf(endpoint);

  it("is an answer of the contract, with nothing changed", () => {
    const parsed = schema.safeParse(body);
    expect(parsed.success ? [] : parsed.error.issues).toEqual([]);
    expect(body).toMatchObject(parsed.data as object);
  });

  it("is none with any one value of the wrong type, and the fault is found where it is", () => {
    for (const path of pathsOf(body)) {
      const dotted = path.join(".");
      if (open.some((start) => dotted.startsWith(start))) continue;
      const broken = withWrong(body, path);
      const parsed = schema.safeParse(broken);
      expect(parsed.success, `${dotted} accepts a wrong type`).toBe(false);
      if (parsed.success) continue;
      expect(firstProblem(parsed.error.issues, broken).path).toBe(dotted);
    }
  });
});

/** The path of every value inside a body, from the outermost. */
function pathsOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...pathsOf(inner, [...at, key])]);
}

/** The body with one value replaced by one of a type that no field takes beside it. */
function withWrong(body: unknown, path: readonly string[]): unknown {
  const copy = structuredClone(body);
  const last = path.at(-1);
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], copy);
  if (last === undefined) return copy;
  const fields = owner as Record<string, unknown>;
  fields[last] = wrongFor(fields[last]);
  return copy;
}

function wrongFor(value: unknown): unknown {
  if (value === null) return true;
  return typeof value === "object" ? 7 : { wrong: true };
}
