import fc from "fast-check";
import { expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";
import type { ModelMessage } from "./types.ts";

const builtIn = ["write_file", "read_file", "run_flow", "http_get", "search_knowledge"];

const { server, ask } = modelTests({ local: "fake" });

/** A model that calls every tool that it is given, in their order. */
async function callAll(names: readonly string[], messages: readonly ModelMessage[] = []) {
  server.otherwise(({ tools }) => {
    return { type: "tools", calls: tools.map((name) => ({ name, args: "{}" })) };
  });
  const answer = await ask({
    messages: [{ role: "user", text: "Call them all" }, ...messages],
    tools: names.map((name) => ({ name, description: name, parameters: { type: "object" } })),
  });
  return { answer, given: server.calls.at(-1) };
}

/** Names that become the same when they are cleaned or cut, and names that look as if they had been. */
const serverIds = fc.constantFrom("a", "a-b", "a_b", "s".repeat(40));
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom("x", "y", ".", "_", " ", "/", "-", "é", "港"),
    minLength: 1,
    maxLength: 5,
  }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
  fc.constantFrom("1", "2", ".1", "_1").map((end) => `${"long".repeat(28)}${end}`),
  fc.constantFrom("__proto__", "constructor", "write_file", "x__y", "__x"),
);
const ids = fc.tuple(serverIds, hostile).map(([id, tool]) => `${id}__${tool}`);
const names = fc.uniqueArray(ids, { minLength: 1, maxLength: 12 }).map((given) => [...builtIn, ...given]);

it("each tool has a name of its own that every provider takes, and a call of it comes back as that tool", async () => {
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const { answer, given: seen } = await callAll(given);
      expect(answer.toolCalls.map(({ name }) => name)).toEqual(given);
      for (const name of seen?.tools ?? []) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(seen?.tools).size).toBe(given.length);
      expect(seen?.tools.slice(0, builtIn.length)).toEqual(builtIn);
    }),
    { numRuns: 60 },
  );
});

it("a tool's name is the same whatever other tools there are, also in the calls of earlier turns", async () => {
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const all = (await callAll(given)).given;
      const nameOf = new Map(given.map((name, at) => [name, all?.tools[at]]));
      const [last = ""] = given.slice(-1);
      const toolCalls = [{ id: "call_1", name: last, args: {} }];
      const answers = [{ id: "call_1", name: last, failed: false, result: "Done" }];
      const alone = await callAll(
        [last],
        [
          { role: "assistant", text: "", toolCalls },
          { role: "tool", answers },
          { role: "user", text: "Again" },
        ],
      );
      expect(alone.given?.tools).toEqual([nameOf.get(last)]);
      const earlier = alone.given?.messages.find(({ role }) => role === "assistant")?.tool_calls;
      expect(earlier).toMatchObject([{ function: { name: nameOf.get(last) } }]);
    }),
    { numRuns: 30 },
  );
});

it("a name that providers take as it is stays as it is", async () => {
  const plain = ["harbor__day_of_week", "a-b__X1", `a__${"x".repeat(61)}`];
  expect((await callAll(plain)).given?.tools).toEqual(plain);
});

it("the built-in model obeys a line for a tool of any name", async () => {
  const named = ["a__x", "a__x y", "a__x/y", "a__港"];
  const tools = named.map((name) => ({ name, description: name, parameters: { type: "object" } }));
  const text = ['/a__x y {"n":1}', "/a__x/y", '/a__港 {"n":2}', '/a__x {"n":3}'].join("\n");
  const { toolCalls } = await ask({ model: "builtin/offline", messages: [{ role: "user", text }], tools });
  expect(toolCalls).toMatchObject([
    { name: "a__x y", args: { n: 1 } },
    { name: "a__x/y", args: {} },
    { name: "a__港", args: { n: 2 } },
    { name: "a__x", args: { n: 3 } },
  ]);
});
