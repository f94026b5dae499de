import { Parser } from "liquidjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
});
afterAll(() => harness.stop());

test("S-289: reads each template and condition of a flow once, for all items and all runs of it", async () => {
  await harness.add(`
id: flow_many
name: Many
owner: user_ada
nodes:
  list: { type: input, default: [${Array.from({ length: 40 }, (_, at) => at).join(", ")}] }
  texts: { type: each, items: "{{ list.value }}", do: { type: template, text: "{{ index }}: {{ item }}" } }
  way: { type: condition, branches: [{ name: few, if: list.value.size < 10 }, { name: many, if: list.value.size > 30 }] }
  out: { type: output, value: ["{{ texts.value.last }}", "{{ way.value }}"] }
`);
  const reading = vi.spyOn(Parser.prototype, "parse");
  const run = async () => {
    reading.mockClear();
    const { execution, outputs } = await harness.end(await harness.start("flow_many"));
    expect(execution.error).toBe(null);
    expect(outputs).toEqual({ out: ["39: 39", "many"] });
    return reading.mock.calls.map(([text]) => text);
  };
  const read = await run();
  expect(read.filter((text) => text.includes("index"))).toEqual(["{{ index }}: {{ item }}"]);
  expect(read.filter((text) => text.includes("size"))).toHaveLength(2);
  expect(await run()).toEqual([]);
});
