import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brokenInvariants } from "../../testing/engine.ts";
import { type FlowBench, flowBench } from "../../testing/flows.ts";
import { listRunFiles } from "./run-files.ts";

let bench: FlowBench;
beforeAll(async () => {
  bench = await flowBench();
});
afterAll(async () => {
  expect(await brokenInvariants(bench.store)).toEqual([]);
  await bench.stop();
});

describe("A run", () => {
  test("takes an input through a template and a wait to a named output, and logs each node", async () => {
    const { execution, outputs, log } = await bench.run(
      `
  name: { type: input, default: world }
  words: { type: template, text: "Hello, {{ name.value }}!" }
  pause: { type: delay, seconds: 0.05, after: [words] }
  greeting: { type: output, value: "{{ words.value }}", after: [pause] }
`,
      { name: "Ada" },
    );
    expect(execution.state).toBe("done");
    expect(outputs).toEqual({ greeting: "Hello, Ada!" });
    expect(log.map((line) => line.replace(/ in .*/, ""))).toEqual([
      "[name] started",
      "[name] finished",
      "[words] started",
      "[words] finished",
      "[pause] started",
      "[pause] finished",
      "[greeting] started",
      "[greeting] finished",
    ]);
  });

  test("uses the default of an input that was not given, else an empty text", async () => {
    const { outputs } = await bench.run(`
  a: { type: input, default: { x: [1] } }
  b: { type: input }
  out_a: { type: output, value: "{{ a.value }}" }
  out_b: { type: output, value: "{{ b.value }}" }
`);
    expect(outputs).toEqual({ out_a: { x: [1] }, out_b: "" });
  });

  test("fails at a required input that was not given, naming the node", async () => {
    const { execution, outputs, log } = await bench.run(`
  who: { type: input, name: person, required: true }
  out: { type: output, value: "{{ who.value }}" }
`);
    expect(execution.state).toBe("failed");
    expect(execution.error).toBe('The node "who" failed: the input "person" is required and was not given.');
    expect(outputs).toEqual({});
    expect(log.at(-1)).toContain("[who] failed:");
  });

  test("passes the whole body to a webhook input as one text", async () => {
    const body = '{"a": 1,\n "user_id": "x"}';
    const { outputs } = await bench.run(
      `
  hook: { type: webhook_input }
  body: { type: output, value: "{{ hook.value }}" }
`,
      {},
      body,
    );
    expect(outputs).toEqual({ body });
  });

  test("S-48 keeps template text inside values as literal text, also through a sub-flow and each", async () => {
    const evil = "{{constructor.constructor('return process')()}}{{ secret.value }}{% include 'x' %}";
    await bench.add(`
id: flow_inner
name: Inner
owner: user_ada
nodes:
  text: { type: input }
  out: { type: output, value: "<{{ text.value }}>" }
`);
    const { outputs } = await bench.run(
      `
  text: { type: input }
  secret: { type: template, text: hidden }
  direct: { type: output, value: "{{ text.value }}" }
  inside: { type: output, value: "a {{ text.value }} b" }
  sub: { type: flow, flow: flow_inner, inputs: { text: "{{ text.value }}" } }
  sub_out: { type: output, value: "{{ sub.value.out }}" }
  many: { type: each, items: ["{{ text.value }}"], do: { type: template, text: "[{{ item }}]" } }
  many_out: { type: output, value: "{{ many.value }}" }
`,
      { text: evil },
    );
    expect(outputs).toEqual({
      direct: evil,
      inside: `a ${evil} b`,
      sub_out: `<${evil}>`,
      many_out: [`[${evil}]`],
    });
  });

  test("takes one branch of a condition and logs the others as skipped", async () => {
    const nodes = `
  amount: { type: input }
  size: { type: condition, branches: [{ name: large, if: amount.value > 100 }, { name: middle, if: amount.value > 10 }] }
  large: { type: template, when: size.large, text: L }
  middle: { type: template, when: size.middle, text: M }
  small: { type: template, when: size.otherwise, text: S }
  after_small: { type: template, text: "{{ small.value }}!" }
  joined: { type: output, join: any, value: "{{ large.value }}{{ middle.value }}{{ small.value }}" }
  only: { type: output, value: "{{ after_small.value }}" }
`;
    const middle = await bench.run(nodes, { amount: 50 });
    expect(middle.outputs).toEqual({ joined: "M" });
    expect(middle.log.filter((line) => line.endsWith("skipped")).sort()).toEqual([
      "[after_small] skipped",
      "[large] skipped",
      "[only] skipped",
      "[small] skipped",
    ]);
    expect((await bench.run(nodes, { amount: 3 })).outputs).toEqual({ joined: "S", only: "S!" });
  });

  test("runs code with its inputs, writes its lines into the log, and fails with its error", async () => {
    const good = await bench.run(`
  sum:
    type: code
    inputs: { list: [1, 2, 3], text: "}); throw 1; //" }
    source: |
      console.log("adding", inputs.list);
      return inputs.list.reduce((a, b) => a + b) + inputs.text.length; // end
  out: { type: output, value: "{{ sum.value }}" }
`);
    expect(good.outputs).toEqual({ out: 21 });
    expect(good.log).toContain("[sum] adding [1,2,3]");
    const bad = await bench.run(`
  boom: { type: code, source: "console.log('before'); throw new Error('no anchors left')" }
`);
    expect(bad.execution.error).toBe('The node "boom" failed: Error: no anchors left.');
    expect(bad.log).toEqual(["[boom] started", "[boom] before", "[boom] failed: Error: no anchors left"]);
  });

  test("stops code that never ends or eats memory", async () => {
    const endless = await bench.run(`  loop: { type: code, timeout_s: 0.3, source: "while (true) {}" }`);
    expect(endless.execution.error).toMatch(/"loop" failed: .* longer than 0.3 s/);
    const hungry = await bench.run(`  eat: { type: code, source: "return 'x'.repeat(3e8).length" }`);
    expect(hungry.execution.error).toContain("memory");
  });

  test("writes files of the run, one of each name", async () => {
    const { execution } = await bench.run(`
  report: { type: file, name: report.md, content: "# Größe" }
  out: { type: output, value: "{{ report.size }} {{ report.media_type }}" }
`);
    const rows = await listRunFiles(bench.store.db, execution.id);
    expect(rows).toMatchObject([{ name: "report.md", mediaType: "text/markdown", size: 9 }]);
    const twice = await bench.run(`
  first: { type: file, name: "a{{ '.txt' }}", content: "1" }
  second: { type: file, name: "{{ 'a' }}.txt", content: "22", after: [first] }
`);
    const kept = await listRunFiles(bench.store.db, twice.execution.id);
    expect(kept).toMatchObject([{ name: "a.txt", size: 2 }]);
  });

  test("does each item of a list, at most `concurrency` at once, and keeps the order", async () => {
    await bench.add(`
id: flow_item
name: Item
owner: user_ada
nodes:
  n: { type: input }
  wait: { type: delay, seconds: 0.02 }
  twice: { type: code, inputs: { n: "{{ n.value }}" }, source: "return inputs.n * 2", after: [wait] }
  out: { type: output, value: "{{ twice.value }}" }
`);
    const { outputs } = await bench.run(
      `
  list: { type: input }
  texts: { type: each, items: "{{ list.value }}", do: { type: template, text: "{{ index }}:{{ item }}" } }
  flows: { type: each, concurrency: 2, items: "{{ list.value }}", do: { type: flow, flow: flow_item, inputs: { n: "{{ item }}" } } }
  out: { type: output, value: { texts: "{{ texts.value }}", flows: "{{ flows.value }}" } }
`,
      { list: [3, 1, 2, 5, 4] },
    );
    expect(outputs).toEqual({
      out: {
        texts: ["0:3", "1:1", "2:2", "3:5", "4:4"],
        flows: [6, 2, 4, 10, 8].map((out) => ({ out })),
      },
    });
  });

  test("S-54 refuses a fan-out of more than a thousand and a recursion deeper than ten", async () => {
    const wide = await bench.run(
      `
  list: { type: input }
  all: { type: each, items: "{{ list.value }}", do: { type: template, text: x } }
`,
      { list: Array.from({ length: 1001 }, () => 0) },
    );
    expect(wide.execution.error).toBe(
      'The node "all" failed: the list has 1001 items; at most 1000 are possible.',
    );
    await bench.add(`
id: flow_self
name: Self
owner: user_ada
nodes:
  again: { type: flow, flow: flow_self }
`);
    const deep = await bench.end(await bench.start("flow_self"));
    expect(deep.execution.state).toBe("failed");
    expect(deep.execution.error).toContain("nested deeper than 10 levels");
    const { rows } = await bench.store.pool.query(
      "select count(*)::int as n, max(depth) as depth, count(*) filter (where finished_at is null)::int as open from executions where subject_id = 'flow_self'",
    );
    expect(rows[0]).toEqual({ n: 11, depth: 10, open: 0 });
  });

  test("runs independent nodes at the same time, also while others wait", async () => {
    const { outputs } = await bench.run(`
  a: { type: delay, seconds: 0.3 }
  b: { type: delay, seconds: 0.3 }
  busy: { type: code, source: "const end = Date.now() + 2500; while (Date.now() < end); return 1" }
  quick: { type: delay, seconds: 0.05 }
  after_quick: { type: code, source: "return Date.now()", after: [quick] }
  end_busy: { type: code, source: "return Date.now()", after: [busy] }
  out: { type: output, value: ["{{ after_quick.value }}", "{{ end_busy.value }}"], after: [a, b] }
`);
    const [quick, busy] = outputs.out as [number, number];
    expect(quick).toBeLessThan(busy);
  });

  test("ends its sub-runs when a node fails", async () => {
    await bench.add(`
id: flow_sleep
name: Sleep
owner: user_ada
nodes:
  wait: { type: delay, seconds: 60 }
`);
    const { execution } = await bench.run(`
  sub: { type: flow, flow: flow_sleep }
  wait: { type: delay, seconds: 0.1 }
  boom: { type: code, source: "throw 1", after: [wait] }
`);
    expect(execution.error).toContain('"boom" failed');
    const children = await bench.store.db
      .selectFrom("executions")
      .select("state")
      .where("parent_id", "=", execution.id)
      .execute();
    expect(children).toEqual([{ state: "terminated" }]);
  });

  test("may not start a flow that its owner may not use", async () => {
    await bench.store.db
      .insertInto("users")
      .values({
        id: "user_eve",
        email: "e@example.com",
        first_name: "E",
        last_name: "E",
        profile_picture: null,
        plan: "pro",
      })
      .execute();
    await bench.add("id: flow_foreign\nname: F\nowner: user_ada\nnodes:\n  a: { type: template, text: x }\n");
    await bench.store.db
      .updateTable("saved_items")
      .set({ user_id: "user_eve" } as never)
      .where("id", "=", "flow_foreign")
      .execute();
    const { execution } = await bench.run("  sub: { type: flow, flow: flow_foreign }");
    expect(execution.error).toContain('there is no flow "flow_foreign" that this run may use');
  });
});
