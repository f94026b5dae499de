import type * as z from "zod/mini";

type Step = string | number;

/** One place of a body, at any depth, that can be given any value. */
export interface Field {
  /** `tools.0.server_id` */
  readonly path: string;
  /** Whether an array belongs there. */
  readonly isList: boolean;
  /** The body with this value there; what leads to the place is made where it is missing. */
  put(body: Readonly<Record<string, unknown>>, value: unknown): Record<string, unknown>;
}

/** Every place of a body that its schema names: each field, of arrays the first item, of unions each option's own. */
export function fieldsOf(schema: z.core.$ZodType): readonly Field[] {
  return placesOf(schema, [], [])
    .filter(({ steps }) => steps.length > 0)
    .map(({ steps, literals, isList }) => ({
      path: steps.join("."),
      isList,
      put: (body, value) => {
        const root: Record<string, unknown> = structuredClone({ ...body });
        for (const literal of literals) assign(root, literal.steps, literal.value);
        assign(root, steps, value);
        return root;
      },
    }));
}

interface Literal {
  readonly steps: readonly Step[];
  readonly value: unknown;
}
interface Place {
  readonly steps: readonly Step[];
  /** What must stand beside it, so that it is the right option of a union that is looked at. */
  readonly literals: readonly Literal[];
  readonly isList: boolean;
}

function placesOf(schema: z.core.$ZodType, steps: readonly Step[], literals: readonly Literal[]): Place[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const here = { steps, literals, isList: def.type === "array" };
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape);
      const beside = fields.flatMap(([key, field]): Literal[] => {
        const { def: inner } = (field as z.core.$ZodTypes)._zod;
        return inner.type === "literal" ? [{ steps: [...steps, key], value: inner.values[0] }] : [];
      });
      const all = [...literals, ...beside];
      return [here, ...fields.flatMap(([key, field]) => placesOf(field, [...steps, key], all))];
    }
    case "array":
      return [here, ...placesOf(def.element, [...steps, 0], literals)];
    case "optional":
    case "nullable":
      return placesOf(def.innerType, steps, literals);
    case "union":
      return [here, ...def.options.flatMap((option) => placesOf(option, steps, literals).slice(1))];
    default:
      return [here];
  }
}

function assign(root: Record<string, unknown>, steps: readonly Step[], value: unknown): void {
  let at: object = root;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    if (next === undefined) Reflect.set(at, step, value);
    else {
      const there: unknown = Reflect.get(at, step);
      const inner = typeof there === "object" && there !== null ? there : typeof next === "number" ? [] : {};
      Reflect.set(at, step, inner);
      at = inner;
    }
  }
}

/** Nested arrays and objects. @param depth levels, at most 40 so that the body as a whole may still be read */
const nested = (depth: number) =>
  Array.from({ length: depth }).reduce<unknown>((inner, _, at) => (at % 2 ? [inner] : { a: inner }), 1);

/** What nobody sends by accident, by name. */
export const hostileValues = {
  "thousands of numbers": Array.from({ length: 190_000 }, () => 7),
  "many empty texts": Array.from({ length: 190_000 }, () => ""),
  "many empty objects": Array.from({ length: 50_000 }, () => ({})),
  "many arrays of numbers": Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 7)),
  "an object of many keys": Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])),
  "forty levels": nested(40),
  "a million letters": "x".repeat(1_000_000),
  NUL: "a\u0000b",
  "half of a surrogate pair": "\ud800",
  "a key with NUL": { "a\u0000": 1 },
  "a huge number": 1e308,
  "a number below zero": -1,
  "a fraction": 0.5,
  true: true,
  null: null,
  "an empty text": "",
  "an empty array": [],
  "an empty object": {},
};
