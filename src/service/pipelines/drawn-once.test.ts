import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
  await harness.add(`
id: flow_echo
name: Echo
owner: user_ada
nodes:
  word: { type: input }
  out: { type: output, value: "{{ word.value }}" }
`);
});
afterAll(() => harness.stop());

describe("A node that waits", () => {
  test("S-315: does for each item of a drawn list what is to be done, once, however often it waits", async () => {
    const letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const { outputs } = await harness.run(
      `
  list: { type: input }
  all:
    type: each
    items: "{{ list.value | sample: 8 }}"
    concurrency: 1
    do: { type: flow, flow: flow_echo, inputs: { word: "{{ item }}" } }
  out: { type: output, value: "{{ all.value | map: 'out' | sort }}" }
`,
      { list: letters },
    );
    expect(outputs).toEqual({ out: letters });
  });

  test("waits until a moment that is counted from when it began", async () => {
    const moment = Math.floor(Date.now() / 1_000) + 2;
    const { execution, outputs } = await harness.run(`
  pause: { type: delay, seconds: "{{ 'now' | date: '%s' | times: -1 | plus: ${moment} }}" }
  out: { type: output, value: "{{ pause.value }}" }
`);
    expect(execution.error).toBeNull();
    expect(outputs.out).toBeGreaterThan(0);
  });
});
