import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { AgainSuite } from "../../testing/again-suite.ts";
import type { AgainPreview } from "./run-again.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
/** Of the random flows; `SEED` tries others. */
const seed = Number(process.env.SEED ?? 117);

const suite = new AgainSuite();
const { add, again, call, preview } = suite;

/** What is given to each of the two inputs of a random flow at first. */
const given = "x";

/** A node of a random flow: what it is, what it needs and reads, and whether it hangs on a condition. */
const anyNode = fc.record({
  kind: fc.constantFrom("http", "http", "each", "flow", "template", "condition", "file"),
  needs: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  /** Of one that reaches the outside: the input that it sends there. */
  reads: fc.option(fc.nat({ max: 1 })),
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
  /** Other values of inputs, and whether the flow is taken as it is now, with which of its steps changed. */
  inputs: fc.record({ i0: fc.constantFrom("x", "y"), i1: fc.constantFrom("x", "z") }, { requiredKeys: [] }),
  flow: fc.constantFrom("as_run", "current"),
  changes: fc.option(fc.nat({ max: 20 })),
});

const items = ["a", "b", "c"];
const nothing = "Nothing would be done again: choose a step, or change an input.";

/** @param changed the step that is another one than it was */
function flowText(nodes: readonly AnyNode[], changed: number | null = null): string {
  const id = (index: number) => `n${index}`;
  const inputs = [0, 1].map((number) => `  i${number}: { type: input, default: ${given} }`);
  const steps = nodes
    .map(({ kind, needs, reads, when }, index) => {
      const isOther = index === changed;
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
        http: `${call(`/${id(index)}${reads === null ? "" : `/in${reads}/{{ i${reads}.value }}`}`).slice(2)}${isOther ? `, headers: { x-other: "1" }` : ""}`,
        each: `type: each, items: [${items.join(", ")}], concurrency: 2, do: ${call(`/${id(index)}/{{ item }}`)}${isOther ? `, headers: { x-other: "1" }` : ""} }`,
        flow: `type: flow, flow: flow_sub, inputs: { n: ${id(index)} }`,
        template: `type: template, text: "word ${index}${isOther ? "!" : ""}"`,
        condition: `type: condition, branches: [{ name: "yes", if: ${isOther ? 2 + 2 * (index % 2) : index % 2} == ${isOther ? 2 : 0} }]`,
        file: `type: file, name: "file ${index}.txt", content: "${isOther ? "other" : "text"}"`,
      }[kind];
      return `  ${id(index)}: { ${[own, ...fields].join(", ")} }`;
    })
    .join("\n");
  return [...inputs, steps].join("\n");
}

/** What may break: all that reaches the outside. */
function addresses(nodes: readonly AnyNode[]): string[] {
  return nodes.flatMap(({ kind, reads }, index) => {
    if (kind === "http") return [reads === null ? `/n${index}` : `/n${index}/in${reads}/${given}`];
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
  for (const url of suite.ledger) {
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
      fc.asyncProperty(anyCase, async ({ nodes, breaks, from, item, inside, byHand, ...other }) => {
        const flow = `flow_any_${number++}`;
        await add(flow, `\n${flowText(nodes)}\n`);
        const all = addresses(nodes);
        suite.broken = new Set(breaks === null || all.length === 0 ? [] : [all[breaks % all.length] ?? ""]);
        const first = await suite.harness.end(await suite.harness.start(flow));
        suite.broken = new Set();
        suite.ledger = [];
        const children = await sql<{ id: string }>`
        select id from executions where parent_id = ${first.execution.id} order by id`.execute(
          suite.harness.store.db,
        );
        const below = inside ? children.rows[0]?.id : undefined;
        const names = below === undefined ? nodes.map((_, index) => `n${index}`) : ["n", "one", "two"];
        const node = from === null ? null : (names[from % names.length] ?? "");
        const isList = below === undefined && node !== null && nodes[Number(node.slice(1))]?.kind === "each";
        const isText =
          below === undefined && node !== null && nodes[Number(node.slice(1))]?.kind === "template";
        const inputs = below === undefined ? other.inputs : {};
        const changed =
          other.flow === "current" && other.changes !== null ? other.changes % nodes.length : null;
        if (changed !== null) await add(flow, `\n${flowText(nodes, changed)}\n`);
        const shown = await preview(below ?? first.execution.id, {
          ...{ inputs, flow: other.flow },
          from: node === null ? null : { node, item: isList ? item : null },
          output: byHand && isText ? { value: "mine" } : null,
        });
        if (shown.refusals.length > 0) {
          const hasChanged = `The step "n${changed}" has changed since, so `;
          for (const { message } of shown.refusals)
            expect(
              [nothing, hasChanged].some((why) => message.startsWith(why)),
              message,
            ).toBe(true);
          return;
        }
        started++;
        // What is another step now gives nothing that it gave before.
        const isOther = changed !== null && nodes[changed]?.kind !== "flow";
        const top = isOther && shown.levels[0]?.plan.nodes.find(({ node }) => node.id === `n${changed}`);
        if (top && !top.wasSkipped) expect(top.state).not.toBe("reused");
        const ids = await again(shown);
        const ends = await Promise.all(ids.map((id) => suite.harness.end(id)));
        expect(ends.map(({ execution }) => execution.state)).toEqual(ids.map(() => "done"));
        const skipped = ends.map(
          ({ log }) => new Set(log.flatMap((line) => /^\[(\w+)\] skipped$/.exec(line)?.[1] ?? [])),
        );
        expect(madeCalls()).toEqual(expectedCalls(shown, skipped));
        // Each sends what its input is now.
        const now: Record<string, string> = { i0: given, i1: given, ...inputs };
        for (const url of suite.ledger) {
          const [, name, value] = /\/in(\d)\/(\w+)$/.exec(url) ?? [];
          if (name !== undefined) expect(value).toBe(now[`i${name}`]);
        }
        for (const [index, { run, plan }] of shown.levels.entries()) {
          const then = new Map((await suite.harness.steps(run.id)).map(({ key, output }) => [key, output]));
          const after = new Map(
            (await suite.harness.steps(ids[index] ?? "")).map(({ key, output }) => [key, output]),
          );
          for (const key of plan.copied) expect(after.get(key)).toEqual(then.get(key));
        }
      }),
      { seed, numRuns: long ? 1_000 : 24 },
    );
    if (long)
      process.stdout.write(`seed ${seed}: ${started} of ${number} flows ran again as the preview said\n`);
    // Of the flows some have nothing that could be done again.
    expect(started).toBeGreaterThan(number / 2);
  },
  long ? 1_800_000 : 120_000,
);
