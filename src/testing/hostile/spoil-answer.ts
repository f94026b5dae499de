import fc from "fast-check";
import { pathsOf, valueAt, withValue, wrongValues } from "./faults.ts";
import { badAddresses, leaks, scripts, tagLike, terminalTricks } from "./payloads.ts";
import type { HostileAnswer } from "./server.ts";

/** One way to spoil an answer. Numbers choose among what is there. */
export interface Spoiling {
  readonly way: "fields" | "whole" | "status" | "text";
  readonly fields: readonly {
    readonly path: number;
    readonly kind: number;
    readonly payload: number | null;
  }[];
  readonly choice: number;
}

const payloads = [...scripts, ...leaks, ...badAddresses, ...terminalTricks, tagLike.text];

/** A text or value in place of a whole answer. */
const wholes: readonly unknown[] = [null, [], {}, "a text", 7, true, [[]], { error: { message: 3 } }];
const texts = ["", "{", '{"a":', "<html><body>Bad Gateway</body></html>", "\ufeff{}", "null null", "\u0000"];
/**
 * None of those after which the console waits or asks for a sign-in, which are looked at by themselves (C-21, C-24): it would
 * read nothing more.
 */
const statuses = [400, 403, 404, 405, 409, 410, 413, 418, 422, 500, 501, 502, 504, 507, 599];

const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  way: fc.oneof(
    { weight: 17, arbitrary: fc.constant("fields" as const) },
    { weight: 1, arbitrary: fc.constant("whole" as const) },
    { weight: 1, arbitrary: fc.constant("status" as const) },
    { weight: 1, arbitrary: fc.constant("text" as const) },
  ),
  fields: fc.array(
    fc.record({ path: fc.nat(9_999), kind: fc.nat(99), payload: fc.option(fc.nat(99), { freq: 2 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  choice: fc.nat(99),
});

/** So many ways to spoil answers; the same for the same seed. */
export const spoilings = (seed: number, count: number): Spoiling[] =>
  fc.sample(fc.noBias(spoiling), { seed, numRuns: count });

/** What is said in place of the healthy answer `body`, and in words what is wrong with it. */
export function spoilAnswer(body: unknown, spoiling: Spoiling): { answer: HostileAnswer; words: string } {
  const { way, fields, choice } = spoiling;
  if (way === "whole") {
    const json = wholes[choice % wholes.length];
    return { answer: { json }, words: JSON.stringify(json) };
  }
  if (way === "text") {
    const body = texts[choice % texts.length] ?? "";
    const headers = { "content-type": "application/json" };
    return { answer: { body, headers }, words: `the text ${JSON.stringify(body)}` };
  }
  if (way === "status") {
    const status = statuses[choice % statuses.length] ?? 500;
    return { answer: { status, json: body }, words: `status ${status}` };
  }
  const words: string[] = [];
  const json = fields.reduce<unknown>((whole, { path, kind, payload }) => {
    const paths = pathsOf(whole);
    const at = paths[path % Math.max(1, paths.length)];
    if (at === undefined) return whole;
    const wrong = Object.values(wrongValues(valueAt(whole, at)));
    const value = payload === null ? wrong[kind % wrong.length] : payloads[payload % payloads.length];
    words.push(`${at.join(".")} = ${String(JSON.stringify(value)).slice(0, 60)}`);
    return withValue(whole, at, value);
  }, body);
  return { answer: { json }, words: words.join(", ") };
}
