import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BulkAction } from "./bulk.ts";

/** Acts that wait until the test lets them end. */
function heldActs() {
  const sent: string[] = [];
  const open = new Map<string, { resolve: (value: string) => void; reject: (error: unknown) => void }>();
  const act = (id: string) => {
    sent.push(id);
    return new Promise<string>((resolve, reject) => open.set(id, { resolve, reject }));
  };
  const end = async (id: string, isGood: boolean) => {
    const one = open.get(id);
    open.delete(id);
    if (isGood) one?.resolve(`did ${id}`);
    else one?.reject(new Error(`not ${id}`));
    // What follows takes a few turns of the queue of promises.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { sent, open, act, end };
}

const ids = ["a", "b", "c", "d", "e", "f"];

describe("one act on many", () => {
  it("has four under way at a time, and each result is its own", async () => {
    const { sent, act, end } = heldActs();
    const many = new BulkAction(ids, act);
    const ended = many.start();
    expect(sent).toEqual(["a", "b", "c", "d"]);
    await end("b", false);
    expect(sent).toEqual(["a", "b", "c", "d", "e"]);
    for (const id of ["a", "c", "d", "e", "f"]) await end(id, true);
    await ended;
    expect(many.isBusy).toBe(false);
    expect(many.at("done")).toEqual(["a", "c", "d", "e", "f"]);
    expect(many.steps.get().get("b")).toMatchObject({ step: "failed", error: { message: "not b" } });
  });

  it("tells of each step in which it changes", async () => {
    const { act, end } = heldActs();
    const many = new BulkAction(["a"], act);
    const seen: (string | undefined)[] = [];
    many.steps.subscribe(() => seen.push(many.steps.get().get("a")?.step));
    void many.start();
    await end("a", true);
    expect(seen).toEqual(["sending", "done"]);
  });

  it("sends nothing twice, however it is started, stopped, gone on with and tried again", async () => {
    const step = fc.oneof(
      fc.constant({ do: "start" as const }),
      fc.constant({ do: "stop" as const }),
      fc.constant({ do: "again" as const }),
      fc.record({ do: fc.constant("end" as const), which: fc.nat(), isGood: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { sent, open, act, end } = heldActs();
        const many = new BulkAction(ids, act);
        let failures = 0;
        for (const one of steps) {
          if (one.do === "start") void many.start();
          if (one.do === "stop") many.stop();
          if (one.do === "again") void many.start(ids);
          const id = one.do === "end" ? [...open.keys()][one.which % open.size] : undefined;
          if (one.do === "end" && id !== undefined) {
            await end(id, one.isGood);
            if (!one.isGood) failures += 1;
          }
          expect(open.size).toBeLessThanOrEqual(4);
          // Whatever was sent is under way or has ended, and nothing that was done is sent again.
          expect(open.size).toBe(many.at("sending").length);
          expect(sent.length).toBe(many.at("sending").length + many.at("done").length + failures);
        }
        // Nothing is stuck: everything comes to its end when it is let.
        void many.start(ids);
        for (let left = 60; left > 0 && many.isBusy; left -= 1) {
          const [next] = open.keys();
          if (next === undefined) break;
          await end(next, true);
        }
        expect(many.at("done")).toEqual(ids);
      }),
    );
  });
});
