import fc from "fast-check";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../../service/context.ts";
import { makeObject, type Relation } from "./objects.ts";
import { operations, type Parts } from "./operations.ts";
import { principals } from "./people.ts";

/** What a person would ask of an operation, about an object of their own that is made for it. */
export async function goodParts(context: Context, operation: EndpointName): Promise<Parts> {
  const question = operations[operation as keyof typeof operations][0];
  const relation: Relation =
    question.object === "team" ? "team" : "own" in question.rows ? "own" : "everyones";
  const id = await makeObject(context, question.object, relation);
  return question.asks(id, principals.owner, relation);
}

const nasty = fc.constantFrom(
  ...[
    "",
    " ",
    "null",
    "__proto__",
    "constructor",
    "toString",
    "../../etc/passwd",
    "%00",
    "a\u0000b",
    "\ud800",
  ],
  ...["'; drop table executions; --", "%' or '1'='1", "{{constructor.constructor('return process')()}}"],
  ...[
    "team_two",
    "user_cat",
    "agent_cat",
    "-1",
    "1e999",
    "9007199254740993",
    "NaN",
    "x".repeat(5_000),
    "\u202e",
  ],
);
const junk: fc.Arbitrary<unknown> = fc.oneof(
  nasty,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null], { a: { b: [1] } }),
  fc.dictionary(nasty, fc.oneof(nasty, fc.integer()), { maxKeys: 3, noNullPrototype: false }),
  fc.array(fc.oneof(nasty, fc.constant({ type: "flow", saved_item_id: "x" })), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Which of the fields that there are gets what; `extra` is added. */
export interface Spoiling {
  readonly field: number;
  readonly value: unknown;
  readonly text: string;
  readonly extra: string | null;
  readonly place: number;
}

export const change: fc.Arbitrary<Spoiling> = fc.record({
  field: fc.nat(),
  value: junk,
  text: nasty,
  extra: fc.option(nasty),
  place: fc.nat(2),
});

/** The same request with something else in one place of its path, query or body. */
export function spoiled({ params = {}, query = {}, body = {} }: Parts, one: Spoiling): Parts {
  const { field, value, text, extra, place } = one;
  const put = <T>(part: Readonly<Record<string, T>>, what: T, more: readonly string[]) => {
    const names = [...Object.keys(part), ...more];
    const name = names[field % Math.max(1, names.length)];
    return name === undefined ? part : Object.fromEntries([...Object.entries(part), [name, what]]);
  };
  const more = extra === null ? [] : [extra];
  const storable = text.includes("\ud800") || text === "" ? "x" : text;
  if (place === 0) return { params: put(params, storable, []), query, body };
  if (place === 1) return { params, query: put(query, storable, more), body };
  return { params, query, body: put<unknown>(body, value, more) };
}

/** Object.fromEntries defines `__proto__` as a key of its own, and JSON.stringify writes it. */
export const textOf = (operation: EndpointName, parts: Parts): string | undefined =>
  endpoints[operation].body === null ? undefined : JSON.stringify(parts.body ?? {});
