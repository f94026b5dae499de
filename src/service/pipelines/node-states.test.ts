import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLog } from "../../testing/executions.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import type { Step } from "../engine/kind.ts";
import { readExecution } from "../engine/queries.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { createFlowVersions } from "./flow-versions.ts";
import { readRunNodes } from "./run-nodes.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

let harness: FlowHarness;
let port = 0;
const busy = createServer((_, response) => {
  response.writeHead(503).end();
});
/** What each run's journal had in memory at its end, written or not. */
const truth = new Map<string, ReadonlyMap<string, Step>>();
beforeAll(async () => {
  busy.listen(0, "127.0.0.1");
  await once(busy, "listening");
  ({ port } = busy.address() as AddressInfo);
  harness = await flowHarness({
    outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }),
    wrap: (kind) => ({
      ...kind,
      async advance(execution, journal) {
        const outcome = await kind.advance(execution, journal);
        truth.set(execution.id, new Map(journal.steps));
        return outcome;
      },
    }),
  });
});
afterAll(async () => {
  busy.close();
  await harness.stop();
});

async function nodesOf(runId: string) {
  const execution = await readExecution(harness.store.db, runId);
  if (!execution) throw new Error(`there is no ${runId}`);
  const nodes = await readRunNodes(harness.store, createFlowVersions(harness.store.db), execution);
  if (nodes === null) throw new Error(`the flow of ${runId} cannot be read`);
  return nodes;
}

async function add(id: string, nodes: string) {
  await harness.add(`id: ${id}\nname: Test\nowner: user_ada\nnodes:\n${nodes.replace(/^\n/, "")}`);
}

const summary = async (runId: string) => {
  const { states } = await nodesOf(runId);
  return Object.fromEntries(states.map(({ node, state }) => [node.id, state]));
};

describe("What a run knows of its nodes", () => {
  test("says of a run that waits what it waits for, what is done, and what has not had its turn", async () => {
    await add(
      "flow_waits",
      `
  words: { type: template, text: "Hello" }
  long: { type: delay, seconds: 60, after: [words] }
  later: { type: output, value: "{{ words.value }}", after: [long] }
`,
    );
    const id = await harness.start("flow_waits");
    await until("the wait", async () => (await summary(id)).long === "waiting");
    const { states } = await nodesOf(id);
    expect(states.map(({ node, state }) => [node.id, state])).toEqual([
      ["words", "done"],
      ["long", "waiting"],
      ["later", "pending"],
    ]);
    const [, long] = states;
    expect(long).toMatchObject({ tries: 1, mostTries: 1, isRecorded: false, error: null });
    expect(long?.waits).toEqual([{ kind: "pause", until: expect.any(Date), childId: null, item: null }]);
    expect(long?.begunAt).toBeInstanceOf(Date);
    await harness.engine.kill(id);
    expect(await summary(id)).toEqual({ words: "done", long: "cancelled", later: "not_run" });
  });

  test("says of a failed run which node failed and why, also where no step was needed for it", async () => {
    await add(
      "flow_fails",
      `
  given: { type: input, required: true }
  words: { type: template, text: "{{ given.value }}" }
`,
    );
    const { execution } = await harness.end(await harness.launch("flow_fails"));
    const { states, values } = await nodesOf(execution.id);
    expect(states.map(({ state, isRecorded, error }) => ({ state, isRecorded, error }))).toEqual([
      { state: "failed", isRecorded: true, error: 'the input "given" is required and was not given' },
      { state: "not_run", isRecorded: false, error: null },
    ]);
    expect(await values.output("given")).toEqual({ known: false, why: "given failed" });
  });

  test("works out again what a run without a wait never recorded, and says so where it may come out differently", async () => {
    await add(
      "flow_pure",
      `
  name: { type: input }
  words: { type: template, text: "Hello, {{ name.value }}" }
  today: { type: template, text: '{{ "now" | date: "%Y" }}' }
  which: { type: condition, branches: [{ name: ada, if: name.value == "Ada" }] }
  ada: { type: template, text: "{{ words.value }}!", when: which.ada }
  other: { type: template, text: "{{ words.value }}?", when: which.otherwise }
  out: { type: output, value: "{{ words.value }} {{ today.value }}" }
`,
    );
    const { execution } = await harness.end(await harness.launch("flow_pure", { name: "Ada" }));
    expect(await harness.steps(execution.id)).toEqual([]);
    const { states, values } = await nodesOf(execution.id);
    expect(Object.fromEntries(states.map(({ node, state }) => [node.id, state]))).toEqual({
      ...{ name: "done", words: "done", today: "done", which: "done", ada: "done", other: "skipped" },
      out: "done",
    });
    expect(await values.output("ada")).toEqual({ known: true, value: { value: "Hello, Ada!" } });
    expect(await values.output("other")).toEqual({ known: true, value: null });
    expect(await values.output("today")).toMatchObject({ known: false });
    // What went out of the run is there in any case.
    expect(await values.output("out")).toEqual({
      known: true,
      value: { value: `Hello, Ada ${new Date().getUTCFullYear()}` },
    });
  });

  test("does not say again what a filter over several lines drew, as it may come out differently", async () => {
    await add(
      "flow_lines",
      `
  year: { type: template, text: "{{ 'now' |\\n  date: '%Y' }}" }
`,
    );
    const { execution } = await harness.end(await harness.launch("flow_lines"));
    const { values } = await nodesOf(execution.id);
    expect(await values.output("year")).toEqual({
      known: false,
      why: "what year gave was not recorded, and may come out differently now",
    });
  });

  test("counts tries, and says when the next one is due", async () => {
    await add(
      "flow_retries",
      `
  call: { type: http, url: "http://localhost:${port}/", retries: { times: 2, delay_s: 200 } }
`,
    );
    const id = await harness.start("flow_retries");
    await until("the retry", async () => (await summary(id)).call === "waiting");
    const [call] = (await nodesOf(id)).states;
    expect(call).toMatchObject({
      tries: 1,
      mostTries: 3,
      waits: [{ kind: "retry", until: expect.any(Date) }],
    });
    await harness.engine.kill(id);
  });

  test("agrees with what happened, in flows of every shape", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(flows, { minLength: 10, maxLength: 10 }), async (batch) => {
        await Promise.all(
          batch.map((nodes, index) => agrees(`flow_random_${index}`, nodes, index % 2 === 0)),
        );
      }),
      { numRuns: long ? 50 : 2, endOnFailure: true },
    );
  }, 300_000);
});

async function agrees(flowId: string, nodes: string, atOnce: boolean) {
  await add(flowId, nodes);
  const runId = await (atOnce ? harness.launch(flowId) : harness.start(flowId));
  const { execution } = await harness.end(runId);
  const log = await readLog(harness.store.db, runId);
  const { states, values } = await nodesOf(runId);
  for (const { node, state } of states) {
    const said = log.filter((line) => line.includes(` [${node.id}] `)).join("\n");
    expect(state, `${node.id} in\n${nodes}\n${log.join("\n")}`).toMatch(expectedState(said));
    const step = truth.get(runId)?.get(node.id);
    const output = await values.output(node.id);
    expect(output.known, node.id).toBe(step?.state === "done");
    if (output.known) expect(output.value).toEqual(step?.output);
  }
  expect(states.some(({ state }) => state === "failed")).toBe(execution.state === "failed");
}

function expectedState(said: string): RegExp {
  if (said.includes("] skipped")) return /^skipped$/;
  if (said.includes("] failed: ")) return /^failed$/;
  if (said.includes("] finished in")) return /^done$/;
  return said === "" ? /^(not_run|cancelled)$/ : /^cancelled$/;
}

/** Flows of two to seven nodes: values, branches, waits, and now and then one that fails. */
const flows = fc
  .array(
    fc.record({
      kind: fc.constantFrom("template", "template", "condition", "delay", "code", "fails", "output"),
      reads: fc.array(fc.nat(6), { maxLength: 2 }),
      below: fc.option(fc.nat(6), { freq: 3 }),
      join: fc.boolean(),
    }),
    { minLength: 2, maxLength: 7 },
  )
  .map((parts) =>
    parts
      .map(({ kind, reads, below, join }, index) => {
        const earlier = [...new Set(reads.filter((read) => read < index))].map(
          (read) => `{{ n${read}.value }}`,
        );
        const text = JSON.stringify(`${index} ${earlier.join(" ")}`);
        const condition = below !== null && below < index && parts[below]?.kind === "condition";
        const more = `${condition ? `, when: n${below}.${index % 2 ? "yes" : "otherwise"}` : ""}${join ? ", join: any" : ""}`;
        const body = {
          template: `type: template, text: ${text}`,
          condition: `type: condition, branches: [{ name: "yes", if: "1 == ${index % 2}" }]`,
          delay: `type: delay, seconds: 0.01, after: [${reads.filter((read) => read < index).map((read) => `n${read}`)}]`,
          code: `type: code, source: "return inputs.text", inputs: { text: ${text} }`,
          fails: `type: code, source: "throw new Error('no')", inputs: { text: ${text} }`,
          output: `type: output, value: ${text}`,
        }[kind];
        return `  n${index}: { ${body}${more} }`;
      })
      .join("\n"),
  );
