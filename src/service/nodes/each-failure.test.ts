import { afterEach, expect, test } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import type { Kind } from "../engine/kind.ts";
import { createOutgoing, type Outgoing } from "../outgoing/outgoing.ts";

/** What happened, in order: `begun 3`, `over 3` for requests of items; `node over`, `run over`. */
let events: string[] = [];
let harness: FlowHarness;
let kill = () => {};
/** Ends when the kill has said everything, which is after the run is over. */
let killed: Promise<unknown> = Promise.resolve();
afterEach(() => harness.stop());

/** Servers of which the one at `/fails` says no once three others are asked; those answer when nobody waits for it any more. */
function slowWorld(): Outgoing {
  return {
    ...createOutgoing({ allowPrivate: [] }),
    async request({ url, signal }) {
      const name = new URL(url).pathname.slice(1);
      events.push(`begun ${name}`);
      if (name === "fails" || name === "kills") {
        await until(
          "three are asked",
          () => events.filter((event) => event.startsWith("begun 1")).length >= 3,
        );
        if (name === "fails") return { status: 400, headers: {}, text: "" };
        kill();
      }
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      // Letting go takes a while, and not for all the same.
      for (let turn = 0; turn < 5 * Number(name.replace(/\D/g, "")); turn++) await new Promise(setImmediate);
      events.push(`over ${name}`);
      throw signal.reason;
    },
  };
}

/** Notes when the node of all items, and the run as its worker sees it, is over. */
const watched = (kind: Kind): Kind => ({
  async advance(execution, journal) {
    const { steps } = journal;
    const record: typeof journal.record = async (key, ...rest) => {
      await journal.record(key, ...rest);
      if (key === "all") events.push("node over");
    };
    try {
      return await kind.advance(execution, { ...journal, steps, record });
    } finally {
      events.push("run over");
    }
  },
});

const each = (items: string) => `
  all:
    type: each
    concurrency: 4
    items: [${items}]
    do: { type: http, url: "http://example.com/{{ item }}" }
`;

test.each([
  ["one of them fails", each("10, 11, 12, fails, 20, 21")],
  ["the first of them fails", each("fails, 10, 11, 12, 20, 21")],
  [
    "another node fails",
    `${each("10, 11, 12, 13, 20, 21")}  other: { type: http, url: "http://example.com/fails" }\n`,
  ],
  ["the run is killed", each("10, 11, 12, kills, 20, 21")],
])(
  "nothing is at work any more for items of a list, and nothing begins, once it is over because %s",
  async (_, nodes) => {
    events = [];
    harness = await flowHarness({ outgoing: slowWorld(), wrap: watched });
    await harness.add(`id: flow_test\nname: Test\nowner: user_ada\nnodes:${nodes}`);
    const id = await harness.start("flow_test");
    kill = () => {
      killed = harness.engine.kill(id);
    };
    const { execution } = await harness.end(id);
    await until("its worker has let go", () => events.includes("run over"));
    await killed;
    const begun = events.filter((event) => /^begun [12]/.test(event)).map((event) => event.split(" ")[1]);
    expect(begun.filter((name) => name?.startsWith("2"))).toEqual([]);
    const last = events.includes("node over") ? events.indexOf("node over") : events.indexOf("run over");
    for (const name of begun) {
      expect(events.slice(0, last), `${name} in ${events.join(", ")}`).toContain(`over ${name}`);
    }
    expect(execution.state).toBe(nodes.includes("kills") ? "terminated" : "failed");
  },
);
