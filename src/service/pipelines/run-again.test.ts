import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { readExecution } from "../engine/queries.ts";
import { startSeeded } from "../engine/seed.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { createFlows } from "./find-flow.ts";
import { createFlowVersions } from "./flow-versions.ts";
import { type AgainAsk, type AgainPreview, previewAgain, readRunsAbove, seedAgain } from "./run-again.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
/** Of the random flows; `SEED` tries others. */
const seed = Number(process.env.SEED ?? 117);

let harness: FlowHarness;
let port = 0;
/** What has reached the outside: `/<node>`, or `/<node>/<item>`. */
let ledger: string[] = [];
/** Addresses that answer an error. */
let broken = new Set<string>();
const outside = createServer((request, response) => {
  const url = request.url ?? "";
  ledger.push(url);
  response.writeHead(broken.has(url) ? 500 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(`answer ${ledger.length}`));
});

beforeAll(async () => {
  outside.listen(0, "127.0.0.1");
  await once(outside, "listening");
  ({ port } = outside.address() as AddressInfo);
  harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }) });
});
afterAll(async () => {
  outside.closeAllConnections();
  outside.close();
  await harness.stop();
});
beforeEach(() => {
  ledger = [];
  broken = new Set();
});

async function add(id: string, nodes: string) {
  await harness.add(`id: ${id}\nname: Test\nowner: user_ada\nnodes:\n${nodes.replace(/^\n/, "")}`);
}

const asked = (ask: Partial<AgainAsk> = {}): AgainAsk => ({
  ...{ from: null, flow: "as_run", inputs: {}, output: null },
  ...ask,
});

async function preview(runId: string, ask: Partial<AgainAsk> = {}): Promise<AgainPreview> {
  const run = await readExecution(harness.store.db, runId);
  if (!run) throw new Error(`there is no ${runId}`);
  const versions = createFlowVersions(harness.store.db);
  const parts = { store: harness.store, versions, flows: createFlows(harness.store.db, versions) };
  return previewAgain(parts, await readRunsAbove(harness.store, run), asked(ask));
}

/** Starts it and waits for its end. @returns the ids of the new runs, the topmost first */
async function again(shown: AgainPreview): Promise<readonly string[]> {
  expect(shown.refusals).toEqual([]);
  const ids = shown.levels.map((_, index) => `run_again_${Math.random().toString(36).slice(2)}_${index}`);
  const seeded = seedAgain(shown, { userId: "user_ada", teamId: null, now: new Date(), ids });
  if (!seeded) throw new Error("nothing goes again");
  await harness.engine.starting((tx, start) => startSeeded(tx, start, seeded));
  await harness.end(seeded.execution.id);
  return ids;
}

const states = ({ levels }: AgainPreview) =>
  levels.map(({ plan }) => Object.fromEntries(plan.nodes.map(({ node, state }) => [node.id, state])));

const sentences = ({ refusals }: AgainPreview) =>
  refusals.map(({ param, message }) => `${param}: ${message}`);

const call = (path: string) => `{ type: http, url: "http://localhost:${port}${path}"`;

describe("A run that goes again", () => {
  test("from where it failed does nothing that was done before, and calls the rest once", async () => {
    await add(
      "flow_line",
      `
  word: { type: input }
  one: ${call("/one")} }
  two: ${call("/two")}, after: [one] }
  three: ${call("/three")}, after: [two] }
  out: { type: output, value: "{{ word.value }} {{ one.value }} {{ three.value }}" }
`,
    );
    broken.add("/two");
    const first = await harness.end(await harness.start("flow_line", { word: "Hello" }));
    expect(first.execution.state).toBe("failed");
    broken.clear();
    ledger.length = 0;
    const shown = await preview(first.execution.id);
    expect(states(shown)).toEqual([
      { word: "reused", one: "reused", two: "again", three: "first_time", out: "first_time" },
    ]);
    expect(
      shown.levels[0]?.plan.nodes.filter(({ mayRepeat }) => mayRepeat).map(({ node }) => node.id),
    ).toEqual(["two"]);
    const [id = ""] = await again(shown);
    expect(ledger).toEqual(["/two", "/three"]);
    const second = await harness.end(id);
    expect(second.outputs).toEqual({ out: "Hello answer 1 answer 2" });
    expect(second.log).toContain("[one] done before, reused");
  });

  test("with another input does again what reads it, and with an output by hand all that needs that", async () => {
    await add(
      "flow_inputs",
      `
  a: { type: input }
  b: { type: input }
  reads_a: ${call("/a/{{ a.value }}")} }
  reads_b: ${call("/b/{{ b.value }}")} }
  out: { type: output, value: "{{ reads_a.value }}, {{ reads_b.value }}" }
`,
    );
    const first = await harness.start("flow_inputs", { a: "1", b: "1" });
    await harness.end(first);
    ledger.length = 0;
    const [changed = ""] = await again(await preview(first, { inputs: { a: "2", b: "1" } }));
    expect(ledger).toEqual(["/a/2"]);
    ledger.length = 0;
    const by = await preview(changed, { from: { node: "reads_b", item: null }, output: { value: "mine" } });
    expect(states(by)).toEqual([
      { a: "reused", b: "reused", reads_a: "reused", reads_b: "given", out: "again" },
    ]);
    const [given = ""] = await again(by);
    expect(ledger).toEqual([]);
    expect((await harness.end(given)).outputs).toEqual({ out: "answer 1, mine" });
  });

  test("from an item of a list does that one again and those that were not done", async () => {
    await add(
      "flow_items",
      `
  all: { type: each, items: [a, b, c, d], concurrency: 1, do: ${call("/all/{{ item }}")} } }
  out: { type: output, value: "{{ all.value }}" }
`,
    );
    broken.add("/all/c");
    const first = await harness.start("flow_items");
    await harness.end(first);
    expect(ledger).toEqual(["/all/a", "/all/b", "/all/c"]);
    broken.clear();
    ledger.length = 0;
    const [second = ""] = await again(await preview(first));
    expect(ledger).toEqual(["/all/c", "/all/d"]);
    ledger.length = 0;
    const shown = await preview(second, { from: { node: "all", item: 1 } });
    expect(shown.levels[0]?.plan.nodes[0]?.items).toEqual({ reused: 3, total: 4 });
    const [third = ""] = await again(shown);
    expect(ledger).toEqual(["/all/b"]);
    expect((await harness.end(third)).outputs).toEqual({
      out: ["answer 1", "answer 1", "answer 1", "answer 2"],
    });
    expect(sentences(await preview(third, { from: { node: "all", item: 4 } }))).toEqual([
      'from.item: The list of "all" has 4 items, counted from 0.',
    ]);
  });

  test("inside a sub-flow of an item goes again below a new run of the one at the top", async () => {
    await add(
      "flow_inner",
      `\n  n: { type: input }\n  one: ${call("/one/{{ n.value }}")} }\n  two: ${call("/two/{{ n.value }}")}, after: [one] }\n  out: { type: output, value: "{{ two.value }}" }\n`,
    );
    await add(
      "flow_outer",
      `
  before: ${call("/before")} }
  all: { type: each, items: [x, y, z], after: [before], concurrency: 1, do: { type: flow, flow: flow_inner, timeout_s: 600, inputs: { n: "{{ item }}" } } }
  later: ${call("/later")}, after: [all] }
`,
    );
    broken.add("/two/y");
    const outer = await harness.start("flow_outer");
    expect((await harness.end(outer)).execution.state).toBe("failed");
    const inner = await sql<{ id: string }>`
      select id from executions where parent_id = ${outer} and state = 'failed'`.execute(harness.store.db);
    broken.clear();
    ledger.length = 0;
    const shown = await preview(inner.rows[0]?.id ?? "");
    expect(states(shown)).toEqual([
      { before: "reused", all: "again", later: "first_time" },
      { n: "reused", one: "reused", two: "again", out: "first_time" },
    ]);
    const [top = "", below = ""] = await again(shown);
    expect(ledger).toEqual(["/two/y", "/one/z", "/two/z", "/later"].filter((url) => ledger.includes(url)));
    expect([...ledger].sort()).toEqual(["/later", "/one/z", "/two/y", "/two/z"]);
    expect((await harness.end(top)).execution.state).toBe("done");
    const child = await readExecution(harness.store.db, below);
    expect(child).toMatchObject({ parentId: top, rootId: top, depth: 1, state: "done" });
  });

  test("refuses with a sentence to reuse a step that has changed, and takes the flow as it was all the same", async () => {
    const flow = (path: string) =>
      add("flow_changes", `\n  one: ${call(path)} }\n  two: ${call("/two")}, after: [one] }\n`);
    await flow("/one");
    const first = await harness.start("flow_changes");
    await harness.end(first);
    await flow("/other");
    ledger.length = 0;
    const from = { node: "two", item: null };
    expect(sentences(await preview(first, { from, flow: "current" }))).toEqual([
      'from: The step "one" has changed since, so what it gave cannot be reused: choose it or a step before it, or take the flow as it was.',
    ]);
    await again(await preview(first, { from }));
    expect(ledger).toEqual(["/two"]);
    ledger.length = 0;
    await again(await preview(first, { from: { node: "one", item: null }, flow: "current" }));
    expect(ledger).toEqual(["/other", "/two"]);
  });

  test("says what is wrong with what is asked for", async () => {
    await add(
      "flow_asks",
      `\n  one: ${call("/one")} }\n  which: { type: condition, branches: [{ name: yes, if: one.status == 200 }] }\n`,
    );
    const id = await harness.start("flow_asks");
    await harness.end(id);
    const said = async (ask: Partial<AgainAsk>) => sentences(await preview(id, ask));
    expect(await said({})).toEqual(["from: Nothing would be done again: choose a step, or change an input."]);
    expect(await said({ from: { node: "on", item: null } })).toEqual([
      'from.node: The flow has no step "on" (did you mean "one"?).',
    ]);
    expect(await said({ from: { node: "one", item: 0 } })).toEqual([
      'from.item: The step "one" has no items: choose the whole step.',
    ]);
    expect(await said({ inputs: { x: 1 } })).toContain('inputs.x: The flow has no input "x".');
    const one = { node: "one", item: null };
    expect(await said({ from: one, output: { valu: 1 } })).toContain(
      'output.value: Say what "one" gives, in the field value.',
    );
    expect(await said({ from: { node: "which", item: null }, output: { value: "no" } })).toEqual([
      'output.value: "which" has the branches yes, otherwise: value must be one of them.',
    ]);
    expect(await said({ output: { value: 1 } })).toContain("output: Choose the step whose output this is.");
  });
});

/** A node of a random flow: what it is, which of the earlier ones it needs, and whether it hangs on a condition. */
const anyNode = fc.record({
  kind: fc.constantFrom("http", "http", "each", "flow", "template", "condition", "file"),
  needs: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  when: fc.option(fc.tuple(fc.nat({ max: 20 }), fc.boolean())),
});
type AnyNode = typeof anyNode extends fc.Arbitrary<infer T> ? T : never;

const anyCase = fc.record({
  nodes: fc.array(anyNode, { minLength: 2, maxLength: 8 }),
  /** What breaks in the first run, and from where it goes again; numbers choose among what there is. */
  breaks: fc.option(fc.nat({ max: 40 })),
  from: fc.option(fc.nat({ max: 20 })),
  item: fc.option(fc.nat({ max: 2 })),
  inside: fc.boolean(),
  byHand: fc.boolean(),
});

const items = ["a", "b", "c"];

function flowText(nodes: readonly AnyNode[]): string {
  const id = (index: number) => `n${index}`;
  return nodes
    .map(({ kind, needs, when }, index) => {
      const after = [...new Set(needs.filter((need) => need < index).map(id))];
      const conditions = nodes.flatMap((node, at) =>
        node.kind === "condition" && at < index ? [id(at)] : [],
      );
      const [at = 0, isYes] = when ?? [];
      const condition = when === null ? undefined : conditions[at % Math.max(1, conditions.length)];
      const fields = [
        ...(after.length > 0 ? [`after: [${after.join(", ")}]`] : []),
        ...(condition === undefined ? [] : [`when: ${condition}.${isYes ? "yes" : "otherwise"}`]),
      ];
      const own = {
        http: `type: http, url: "http://localhost:${port}/${id(index)}"`,
        each: `type: each, items: [${items.join(", ")}], concurrency: 2, do: ${call(`/${id(index)}/{{ item }}`)} }`,
        flow: `type: flow, flow: flow_sub, inputs: { n: ${id(index)} }`,
        template: `type: template, text: "word ${index}"`,
        condition: `type: condition, branches: [{ name: "yes", if: ${index % 2} == 0 }]`,
        file: `type: file, name: "file ${index}.txt", content: "text"`,
      }[kind];
      return `  ${id(index)}: { ${[own, ...fields].join(", ")} }`;
    })
    .join("\n");
}

/** What may break: all that reaches the outside. */
function addresses(nodes: readonly AnyNode[]): string[] {
  return nodes.flatMap(({ kind }, index) => {
    if (kind === "http") return [`/n${index}`];
    if (kind === "each") return items.map((item) => `/n${index}/${item}`);
    return kind === "flow" ? [`/sub/n${index}/one`, `/sub/n${index}/two`] : [];
  });
}

/** How often each node reaches the outside if what was shown is what happens. @param skipped of the runs, by level */
function expectedCalls(
  { levels }: AgainPreview,
  skipped: readonly ReadonlySet<string>[],
): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const [depth, { plan }] of levels.entries()) {
    const outer = depth === 0 ? null : levels[0]?.from?.node;
    for (const { node, state, items: reuses, runId, outside: reaches } of plan.nodes) {
      if (runId !== null || skipped[depth]?.has(node.id)) continue;
      if (state === "reused" || state === "given") {
        expect(reaches).toBe(false);
        continue;
      }
      const { type } = node.config;
      if (type === "http")
        calls[outer ? `sub/${outer}` : node.id] = (calls[outer ? `sub/${outer}` : node.id] ?? 0) + 1;
      if (type === "each") calls[node.id] = items.length - (reuses?.reused ?? 0);
      if (type === "flow") calls[`sub/${node.id}`] = 2;
      expect(reaches).toBe(["http", "each", "flow"].includes(type));
    }
  }
  return Object.fromEntries(Object.entries(calls).filter(([, count]) => count > 0));
}

function madeCalls(): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const url of ledger) {
    const node = /^\/(sub\/\w+|\w+)/.exec(url)?.[1] ?? url;
    calls[node] = (calls[node] ?? 0) + 1;
  }
  return calls;
}

test(
  "S-117: of random flows, run again from random steps, what happens outside is what the preview said",
  async () => {
    await add(
      "flow_sub",
      `\n  n: { type: input }\n  one: ${call("/sub/{{ n.value }}/one")} }\n  two: ${call("/sub/{{ n.value }}/two")}, after: [one] }\n`,
    );
    let number = 0;
    let started = 0;
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ nodes, breaks, from, item, inside, byHand }) => {
        const flow = `flow_any_${number++}`;
        await add(flow, `\n${flowText(nodes)}\n`);
        const all = addresses(nodes);
        broken = new Set(breaks === null || all.length === 0 ? [] : [all[breaks % all.length] ?? ""]);
        const first = await harness.end(await harness.start(flow));
        broken = new Set();
        ledger = [];
        const children = await sql<{ id: string }>`
        select id from executions where parent_id = ${first.execution.id} order by id`.execute(
          harness.store.db,
        );
        const below = inside ? children.rows[0]?.id : undefined;
        const names = below === undefined ? nodes.map((_, index) => `n${index}`) : ["n", "one", "two"];
        const node = from === null ? null : (names[from % names.length] ?? "");
        const isList = below === undefined && node !== null && nodes[Number(node.slice(1))]?.kind === "each";
        const isText =
          below === undefined && node !== null && nodes[Number(node.slice(1))]?.kind === "template";
        const shown = await preview(below ?? first.execution.id, {
          from: node === null ? null : { node, item: isList ? item : null },
          output: byHand && isText ? { value: "mine" } : null,
        });
        if (shown.refusals.length > 0) {
          expect(sentences(shown)).toEqual([
            "from: Nothing would be done again: choose a step, or change an input.",
          ]);
          return;
        }
        started++;
        const ids = await again(shown);
        const ends = await Promise.all(ids.map((id) => harness.end(id)));
        expect(ends.map(({ execution }) => execution.state)).toEqual(ids.map(() => "done"));
        const skipped = ends.map(
          ({ log }) => new Set(log.flatMap((line) => /^\[(\w+)\] skipped$/.exec(line)?.[1] ?? [])),
        );
        expect(madeCalls()).toEqual(expectedCalls(shown, skipped));
        for (const [index, { run, plan }] of shown.levels.entries()) {
          const then = new Map((await harness.steps(run.id)).map(({ key, output }) => [key, output]));
          const now = new Map(
            (await harness.steps(ids[index] ?? "")).map(({ key, output }) => [key, output]),
          );
          for (const key of plan.copied) expect(now.get(key)).toEqual(then.get(key));
        }
      }),
      { seed, numRuns: long ? 1_000 : 24 },
    );
    // Of the flows some have nothing that could be done again.
    expect(started).toBeGreaterThan(number / 2);
  },
  long ? 1_800_000 : 120_000,
);
