import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { until } from "../../testing/until.ts";
import { definition } from "./definition.ts";
import { planFlow } from "./plan.ts";

describe("the plan of a flow", () => {
  it("S-288: lets all else have its turn while it is made of many templates", async () => {
    const words = "{{ list.value }} ".repeat(2_000);
    const texts = Array.from({ length: 30 }, (_, at) => ({
      id: `text_${at}`,
      node: { type: "template", text: words },
    }));
    const list = { id: "list", node: { type: "input" } };
    const flow = definition.parse({ nodes: [list, ...texts] });
    let turns = 0;
    let isOn = true;
    const count = async () => {
      for (; isOn; turns++) await nextTurn();
    };
    const counting = count();
    const { nodes, faults } = await planFlow(flow);
    isOn = false;
    await counting;
    expect([...nodes.keys()]).toHaveLength(31);
    expect(faults).toEqual([]);
    expect(turns).toBeGreaterThan(10);
  });

  it("is made at once where the flow is short", async () => {
    const flow = definition.parse({
      nodes: [
        { id: "name", node: { type: "input" } },
        { id: "words", node: { type: "template", text: "Hello, {{ name.value }}!" } },
      ],
    });
    // This machine may stand still just then.
    await until("it takes no turn", async () => {
      await nextTurn();
      let hasTurned = false;
      const turned = nextTurn().then(() => {
        hasTurned = true;
      });
      expect((await planFlow(flow)).nodes.get("words")?.reads).toEqual(["name"]);
      const wasAtOnce = !hasTurned;
      await turned;
      return wasAtOnce;
    });
  });
});
