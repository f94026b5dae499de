import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatDuration } from "../../contract/duration.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { readLog } from "../../testing/executions.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { listRunFiles } from "./run-files.ts";

let harness: FlowHarness;
/** Answers everything with "busy", but only when it is told to. */
let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const slow = createServer(async (_, response) => {
  await released;
  response.end("busy");
});
beforeAll(async () => {
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }) });
  await harness.add(`
id: flow_at_once
name: At once
owner: user_ada
nodes:
  a: { type: delay, seconds: 0.3 }
  busy: { type: http, url: "http://localhost:${port}/" }
  quick: { type: delay, seconds: 0.05 }
  after_quick: { type: template, text: quick, after: [quick] }
  out: { type: output, value: ["{{ after_quick.value }}", "{{ busy.value }}"], after: [a] }
`);
});
afterAll(async () => {
  slow.close();
  expect(await brokenInvariants(harness.store)).toEqual([]);
  await harness.stop();
});

describe("A run", () => {
  test("takes an input through a template and a wait to a named output, and logs each node", async () => {
    const { execution, outputs, log } = await harness.run(
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

  test("dates no line before the one above it, though many nodes speak at the same time", async () => {
    const nodes = Array.from({ length: 12 }, (_, index) => {
      const spin = `for (let i = 0; i < ${(index % 4) * 200000}; i++);`;
      return index % 3 === 0
        ? `  n${index}: { type: template, text: "${index}" }`
        : `  n${index}: { type: code, timeout_s: 60, source: "console.log('a'); ${spin} console.log('b'); return 1" }`;
    });
    const { execution } = await harness.run(`\n${nodes.join("\n")}\n`);
    const lines = await readLog(harness.store.db, execution.id);
    const times = lines.map((line) => line.slice(0, 24));
    expect(times).toEqual([...times].sort());
    expect(times.every((time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time))).toBe(true);
    for (let index = 0; index < 12; index++) {
      const all = lines.filter((line) => line.includes(`[n${index}]`)).map((line) => line.slice(25));
      // On a slow machine they wait for a thread for long enough to say so.
      const own = all.filter((line) => !line.includes("free place"));
      const said = index % 3 === 0 ? [] : [`[n${index}] a`, `[n${index}] b`];
      expect(own.slice(0, -1)).toEqual([`[n${index}] started`, ...said]);
    }
  });

  test("says of each node that it took as long as the dates of its lines say, in the words of the console", async () => {
    const { execution } = await harness.run(`
  quick: { type: template, text: "now" }
  pause: { type: delay, seconds: 0.15 }
  code: { type: code, timeout_s: 60, source: "for (let i = 0; i < 300000; i++); return 1" }
  after: { type: template, text: "{{ pause.value }}" }
`);
    const lines = await readLog(harness.store.db, execution.id);
    for (const node of ["quick", "pause", "code", "after"]) {
      const own = lines.filter((line) => line.includes(`[${node}]`));
      const [from = Number.NaN, ...rest] = own.map((line) => Date.parse(line.slice(0, 24)));
      const took = formatDuration((rest.at(-1) ?? Number.NaN) - from, { fine: true });
      expect(own.at(-1)?.slice(25)).toBe(`[${node}] finished in ${took}`);
    }
  });

  test("uses the default of an input that was not given, else an empty text", async () => {
    const { outputs } = await harness.run(`
  a: { type: input, default: { x: [1] } }
  b: { type: input }
  out_a: { type: output, value: "{{ a.value }}" }
  out_b: { type: output, value: "{{ b.value }}" }
`);
    expect(outputs).toEqual({ out_a: { x: [1] }, out_b: "" });
  });

  test("fails at a required input that was not given, naming the node", async () => {
    const { execution, outputs, log } = await harness.run(`
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
    const { outputs } = await harness.run(
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
    await harness.add(`
id: flow_inner
name: Inner
owner: user_ada
nodes:
  text: { type: input }
  out: { type: output, value: "<{{ text.value }}>" }
`);
    const { outputs } = await harness.run(
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
    const middle = await harness.run(nodes, { amount: 50 });
    expect(middle.outputs).toEqual({ joined: "M" });
    expect(middle.log.filter((line) => line.endsWith("skipped")).sort()).toEqual([
      "[after_small] skipped",
      "[large] skipped",
      "[only] skipped",
      "[small] skipped",
    ]);
    expect((await harness.run(nodes, { amount: 3 })).outputs).toEqual({ joined: "S", only: "S!" });
  });

  test("runs code with its inputs, writes its lines into the log, and fails with its error", async () => {
    const good = await harness.run(`
  sum:
    type: code
    timeout_s: 60
    inputs: { list: [1, 2, 3], text: "}); throw 1; //" }
    source: |
      console.log("adding", inputs.list);
      return inputs.list.reduce((a, b) => a + b) + inputs.text.length; // end
  out: { type: output, value: "{{ sum.value }}" }
`);
    expect(good.outputs).toEqual({ out: 21 });
    expect(good.log).toContain("[sum] adding [1,2,3]");
    const bad = await harness.run(`
  boom: { type: code, timeout_s: 60, source: "console.log('before'); throw new Error('no anchors left')" }
`);
    expect(bad.execution.error).toBe('The node "boom" failed: Error: no anchors left.');
    expect(bad.log).toEqual(["[boom] started", "[boom] before", "[boom] failed: Error: no anchors left"]);
  });

  test("stops code that never ends or eats memory", async () => {
    const endless = await harness.run(`  loop: { type: code, timeout_s: 0.3, source: "while (true) {}" }`);
    expect(endless.execution.error).toMatch(/"loop" failed: .* longer than 0.3 s/);
    const hungry = await harness.run(
      `  eat: { type: code, timeout_s: 60, source: "return 'x'.repeat(3e8).length" }`,
    );
    expect(hungry.execution.error).toContain("memory");
  });

  test("writes files of the run, one of each name", async () => {
    const { execution } = await harness.run(`
  report: { type: file, name: report.md, content: "# Größe" }
  out: { type: output, value: "{{ report.size }} {{ report.media_type }}" }
`);
    const rows = await listRunFiles(harness.store.db, execution.id);
    expect(rows).toMatchObject([{ name: "report.md", mediaType: "text/markdown", size: 9 }]);
    const twice = await harness.run(`
  first: { type: file, name: "a{{ '.txt' }}", content: "1" }
  second: { type: file, name: "{{ 'a' }}.txt", content: "22", after: [first] }
`);
    const kept = await listRunFiles(harness.store.db, twice.execution.id);
    expect(kept).toMatchObject([{ name: "a.txt", size: 2 }]);
  });

  test("does each item of a list, at most `concurrency` at once, and keeps the order", async () => {
    await harness.add(`
id: flow_item
name: Item
owner: user_ada
nodes:
  n: { type: input }
  wait: { type: delay, seconds: 0.02 }
  twice: { type: code, timeout_s: 60, inputs: { n: "{{ n.value }}" }, source: "return inputs.n * 2", after: [wait] }
  out: { type: output, value: "{{ twice.value }}" }
`);
    const { outputs } = await harness.run(
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
    const wide = await harness.run(
      `
  list: { type: input }
  all: { type: each, items: "{{ list.value }}", do: { type: template, text: x } }
`,
      { list: Array.from({ length: 1001 }, () => 0) },
    );
    expect(wide.execution.error).toBe(
      'The node "all" failed: the list has 1001 items; at most 1000 are possible.',
    );
    await harness.add(`
id: flow_self
name: Self
owner: user_ada
nodes:
  again: { type: flow, flow: flow_self }
`);
    const deep = await harness.end(await harness.start("flow_self"));
    expect(deep.execution.state).toBe("failed");
    expect(deep.execution.error).toContain("nested deeper than 10 levels");
    const { rows } = await harness.store.pool.query(
      "select count(*)::int as n, max(depth) as depth, count(*) filter (where finished_at is null)::int as open from executions where subject_id = 'flow_self'",
    );
    expect(rows[0]).toEqual({ n: 11, depth: 10, open: 0 });
  });

  test("runs independent nodes at the same time, also while others wait", async () => {
    const id = await harness.start("flow_at_once");
    const ended = async () =>
      (await harness.steps(id)).filter(({ state }) => state === "done").map(({ key }) => key);
    await until("what waited goes on", async () => (await ended()).includes("after_quick"));
    expect(await ended()).not.toContain("busy");
    release();
    expect((await harness.end(id)).outputs).toEqual({ out: ["quick", "busy"] });
  });

  test("ends its sub-runs when a node fails", async () => {
    await harness.add(`
id: flow_sleep
name: Sleep
owner: user_ada
nodes:
  wait: { type: delay, seconds: 60 }
`);
    const { execution } = await harness.run(`
  sub: { type: flow, flow: flow_sleep }
  wait: { type: delay, seconds: 0.1 }
  boom: { type: code, timeout_s: 60, source: "throw 1", after: [wait] }
`);
    expect(execution.error).toContain('"boom" failed');
    const children = await harness.store.db
      .selectFrom("executions")
      .select("state")
      .where("parent_id", "=", execution.id)
      .execute();
    expect(children).toEqual([{ state: "terminated" }]);
  });

  test("is ended when it takes longer than its node allows, and the run fails with that reason", async () => {
    await harness.add(
      "id: flow_hour\nname: H\nowner: user_ada\nnodes:\n  wait: { type: delay, seconds: 3600 }\n",
      "id: flow_short\nname: S\nowner: user_ada\nnodes:\n  out: { type: output, value: in time }\n",
    );
    const { execution, log } = await harness.run(`
  short: { type: flow, flow: flow_short, timeout_s: 3600 }
  long: { type: flow, flow: flow_hour, timeout_s: 0.3, after: [short] }
`);
    expect(execution).toMatchObject({
      state: "failed",
      error: 'The node "long" failed: it took longer than 0.3 s.',
    });
    expect(log.some((line) => line.startsWith("[short] finished"))).toBe(true);
    expect(log.at(-1)).toBe("[long] failed: it took longer than 0.3 s");
    const children = await harness.store.pool.query(
      "select subject_id, state from executions where parent_id = $1 order by subject_id",
      [execution.id],
    );
    expect(children.rows).toEqual([
      { subject_id: "flow_hour", state: "terminated" },
      { subject_id: "flow_short", state: "done" },
    ]);
  });

  test("may not start a flow that its owner may not use", async () => {
    await harness.store.db
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
    await harness.add(
      "id: flow_foreign\nname: F\nowner: user_ada\nnodes:\n  a: { type: template, text: x }\n",
    );
    await harness.store.db
      .updateTable("saved_items")
      .set({ user_id: "user_eve" })
      .where("id", "=", "flow_foreign")
      .execute();
    const { execution } = await harness.run("  sub: { type: flow, flow: flow_foreign }");
    expect(execution.error).toContain('there is no flow "flow_foreign" that this run may use');
  });
});
