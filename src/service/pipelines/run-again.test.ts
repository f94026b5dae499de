import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { AgainSuite, sentences } from "../../testing/again-suite.ts";
import { readExecution } from "../engine/queries.ts";
import type { AgainAsk, AgainPreview } from "./run-again.ts";

const suite = new AgainSuite();
const { add, again, call, preview } = suite;

const states = ({ levels }: AgainPreview) =>
  levels.map(({ plan }) => Object.fromEntries(plan.nodes.map(({ node, state }) => [node.id, state])));

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
    suite.broken.add("/two");
    const first = await suite.harness.end(await suite.harness.start("flow_line", { word: "Hello" }));
    expect(first.execution.state).toBe("failed");
    suite.broken.clear();
    suite.ledger.length = 0;
    const shown = await preview(first.execution.id);
    expect(states(shown)).toEqual([
      { word: "reused", one: "reused", two: "again", three: "first_time", out: "first_time" },
    ]);
    expect(
      shown.levels[0]?.plan.nodes.filter(({ mayRepeat }) => mayRepeat).map(({ node }) => node.id),
    ).toEqual(["two"]);
    const [id = ""] = await again(shown);
    expect(suite.ledger).toEqual(["/two", "/three"]);
    const second = await suite.harness.end(id);
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
    const first = await suite.harness.start("flow_inputs", { a: "1", b: "1" });
    await suite.harness.end(first);
    suite.ledger.length = 0;
    const [changed = ""] = await again(await preview(first, { inputs: { a: "2", b: "1" } }));
    expect(suite.ledger).toEqual(["/a/2"]);
    suite.ledger.length = 0;
    const by = await preview(changed, { from: { node: "reads_b", item: null }, output: { value: "mine" } });
    expect(states(by)).toEqual([
      { a: "reused", b: "reused", reads_a: "reused", reads_b: "given", out: "again" },
    ]);
    const [given = ""] = await again(by);
    expect(suite.ledger).toEqual([]);
    expect((await suite.harness.end(given)).outputs).toEqual({ out: "answer 1, mine" });
  });

  test("from an item of a list does that one again and those that were not done", async () => {
    await add(
      "flow_items",
      `
  all: { type: each, items: [a, b, c, d], concurrency: 1, do: ${call("/all/{{ item }}")} } }
  out: { type: output, value: "{{ all.value }}" }
`,
    );
    suite.broken.add("/all/c");
    const first = await suite.harness.start("flow_items");
    await suite.harness.end(first);
    expect(suite.ledger).toEqual(["/all/a", "/all/b", "/all/c"]);
    suite.broken.clear();
    suite.ledger.length = 0;
    const [second = ""] = await again(await preview(first));
    expect(suite.ledger).toEqual(["/all/c", "/all/d"]);
    suite.ledger.length = 0;
    const shown = await preview(second, { from: { node: "all", item: 1 } });
    expect(shown.levels[0]?.plan.nodes[0]?.items).toEqual({ reused: 3, total: 4 });
    const [third = ""] = await again(shown);
    expect(suite.ledger).toEqual(["/all/b"]);
    expect((await suite.harness.end(third)).outputs).toEqual({
      out: ["answer 1", "answer 1", "answer 1", "answer 2"],
    });
    expect(sentences(await preview(third, { from: { node: "all", item: 4 } }))).toEqual([
      'from.item: The list of "all" has 4 items, counted from 0.',
    ]);
  });

  test("inside item 417 of a long list does that one again, and takes over the others", async () => {
    const count = 420;
    await add(
      "flow_long",
      `
  names: { type: input }
  all: { type: each, items: "{{ names.value }}", concurrency: 20, do: ${call("/long/{{ item }}")} } }
`,
    );
    const names = Array.from({ length: count }, (_, index) => `n${index}`);
    suite.broken.add("/long/n417");
    const first = await suite.harness.start("flow_long", { names });
    await suite.harness.end(first);
    suite.broken.clear();
    suite.ledger.length = 0;
    const [second = ""] = await again(await preview(first));
    await suite.harness.end(second);
    suite.ledger.length = 0;
    const shown = await preview(second, { from: { node: "all", item: 417 } });
    expect(shown.levels[0]?.plan.nodes.find(({ node }) => node.id === "all")?.items).toEqual({
      reused: count - 1,
      total: count,
    });
    const [third = ""] = await again(shown);
    expect((await suite.harness.end(third)).execution.state).toBe("done");
    expect(suite.ledger).toEqual(["/long/n417"]);
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
    suite.broken.add("/two/y");
    const outer = await suite.harness.start("flow_outer");
    expect((await suite.harness.end(outer)).execution.state).toBe("failed");
    const inner = await sql<{ id: string }>`
      select id from executions where parent_id = ${outer} and state = 'failed'`.execute(
      suite.harness.store.db,
    );
    suite.broken.clear();
    suite.ledger.length = 0;
    const shown = await preview(inner.rows[0]?.id ?? "");
    expect(states(shown)).toEqual([
      { before: "reused", all: "again", later: "first_time" },
      { n: "reused", one: "reused", two: "again", out: "first_time" },
    ]);
    const [top = "", below = ""] = await again(shown);
    expect(suite.ledger).toEqual(
      ["/two/y", "/one/z", "/two/z", "/later"].filter((url) => suite.ledger.includes(url)),
    );
    expect([...suite.ledger].sort()).toEqual(["/later", "/one/z", "/two/y", "/two/z"]);
    expect((await suite.harness.end(top)).execution.state).toBe("done");
    const child = await readExecution(suite.harness.store.db, below);
    expect(child).toMatchObject({ parentId: top, rootId: top, depth: 1, state: "done" });
  });

  test("refuses with a sentence to reuse a step that has changed, and takes the flow as it was all the same", async () => {
    const flow = (path: string) =>
      add("flow_changes", `\n  one: ${call(path)} }\n  two: ${call("/two")}, after: [one] }\n`);
    await flow("/one");
    const first = await suite.harness.start("flow_changes");
    await suite.harness.end(first);
    await flow("/other");
    suite.ledger.length = 0;
    const from = { node: "two", item: null };
    expect(sentences(await preview(first, { from, flow: "current" }))).toEqual([
      'from: The step "one" has changed since, so what it gave cannot be reused: choose it or a step before it, or take the flow as it was.',
    ]);
    await again(await preview(first, { from }));
    expect(suite.ledger).toEqual(["/two"]);
    suite.ledger.length = 0;
    await again(await preview(first, { from: { node: "one", item: null }, flow: "current" }));
    expect(suite.ledger).toEqual(["/other", "/two"]);
  });

  test("goes on with the list as it was drawn, where a filter draws it", async () => {
    const letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    await add(
      "flow_drawn",
      `
  list: { type: input }
  all: { type: each, items: "{{ list.value | sample: 8 }}", concurrency: 1, do: ${call("/drawn/{{ item }}")} } }
`,
    );
    suite.broken.add("/drawn/d");
    const first = await suite.harness.start("flow_drawn", { list: letters });
    expect((await suite.harness.end(first)).execution.state).toBe("failed");
    const before = suite.ledger.length - 1;
    suite.broken.clear();
    const shown = await preview(first);
    expect(shown.levels[0]?.plan.nodes[1]?.items).toEqual({ reused: before, total: letters.length });
    const [second = ""] = await again(shown);
    expect((await suite.harness.end(second)).execution.state).toBe("done");
    expect([...suite.ledger].sort()).toEqual(["d", ...letters].sort().map((letter) => `/drawn/${letter}`));
  });

  test("refuses to reuse the items of a list that the flow as it is now makes in another way", async () => {
    const flow = (list: string) =>
      add(
        "flow_other_list",
        `
  list: { type: template, text: "{{ '${list}' | split: ',' }}" }
  all: { type: each, items: "{{ list.value }}", do: ${call("/all/{{ item }}")} } }
`,
      );
    await flow("a,b,c");
    const first = await suite.harness.start("flow_other_list");
    await suite.harness.end(first);
    await flow("x,y,z");
    const item = { node: "all", item: 1 };
    expect(sentences(await preview(first, { from: item, flow: "current" }))).toEqual([
      'from.item: The list of "all" is made again, so none of its items can be reused: choose the whole step.',
    ]);
    suite.ledger.length = 0;
    await again(await preview(first, { from: { node: "all", item: null }, flow: "current" }));
    expect([...suite.ledger].sort()).toEqual(["/all/x", "/all/y", "/all/z"]);
  });

  test("S-302: takes no output by hand in place of an answer that people are to give", async () => {
    await add(
      "flow_asks_people",
      `
  ask: { type: approval, question: "Pay?", who: operators }
  pay: ${call("/pay")}, after: [ask] }
  all: { type: each, items: [1, 2], do: { type: approval, question: "Pay {{ item }}?" } }
`,
    );
    const id = await suite.harness.start("flow_asks_people");
    await suite.harness.engine.kill(id);
    const outcome = { outcome: "approved", answers: {} };
    for (const [node, item, output] of [
      ["ask", null, { value: outcome, ...outcome }],
      ["all", null, { value: [outcome, outcome], count: 2 }],
      ["all", 1, { value: outcome }],
    ] as const) {
      expect(sentences(await preview(id, { from: { node, item }, output }))).toEqual([
        `output: "${node}" asks people, and nobody answers in their place: let them be asked again.`,
      ]);
    }
  });

  test("says what is wrong with what is asked for", async () => {
    await add(
      "flow_asks",
      `\n  one: ${call("/one")} }\n  which: { type: condition, branches: [{ name: yes, if: one.status == 200 }] }\n`,
    );
    const id = await suite.harness.start("flow_asks");
    await suite.harness.end(id);
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
