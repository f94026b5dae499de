import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runInSlices, SlicesError } from "./time-slices.ts";

const forAda = { share: ["team_harbor", "user_ada", "run_1"] };

/** Keeps the processor busy for so long. */
function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Steps of a millisecond each. */
function* steps(count: number, onStep: () => void = () => {}): Generator<undefined, string> {
  for (let done = 0; done < count; done++) {
    spin(1);
    onStep();
    yield;
  }
  return "whole";
}

describe("work in slices", () => {
  it("is done at once where it is short", async () => {
    let hasTurned = false;
    await nextTurn();
    const turned = nextTurn().then(() => {
      hasTurned = true;
    });
    expect(await runInSlices(steps(0), forAda, 1_000)).toBe("whole");
    expect(hasTurned).toBe(false);
    await turned;
  });

  it("S-267: lets all else have its turn after a few steps, however much of it is begun at once", async () => {
    let inTurn = 0;
    let most = 0;
    const onStep = () => {
      inTurn++;
      most = Math.max(most, inTurn);
    };
    let isOn = true;
    const watch = async () => {
      for (; isOn; inTurn = 0) await nextTurn();
    };
    const watching = watch();
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        runInSlices(steps(12, onStep), { share: [`team_${at}`, "", ""] }, 1_000),
      ),
    );
    isOn = false;
    await watching;
    // The first of all together, the slice of one, and the step that goes over the end of each.
    expect(most).toBeLessThanOrEqual(16);
  });

  it("S-267: takes turns: much work of one tenant does not hold up another's", async () => {
    const ended: string[] = [];
    const loud = Array.from({ length: 12 }, (_, at) =>
      runInSlices(steps(40), { share: ["team_loud", "user_ada", `run_${at}`] }, 5_000).then(() =>
        ended.push("loud"),
      ),
    );
    const quiet = runInSlices(steps(40), { share: ["team_quiet", "user_grace", "run_q"] }, 5_000).then(() =>
      ended.push("quiet"),
    );
    await Promise.all([...loud, quiet]);
    // Those that came first may be over first.
    expect(ended.indexOf("quiet")).toBeLessThan(4);
  });

  it("S-267: ends when it has used up its time, of which what it waits is no part", async () => {
    await expect(runInSlices(steps(1_000), forAda, 50)).rejects.toBeInstanceOf(SlicesError);
    const others = Array.from({ length: 8 }, (_, at) =>
      runInSlices(steps(60), { share: [`team_${at}`, "", ""] }, 1_000),
    );
    const own = runInSlices(steps(60), { share: ["team_own", "", ""] }, 450);
    expect(await own).toBe("whole");
    await Promise.all(others);
  });

  it("S-267: so much is under way at a time, and another tenant's begins beside it", async () => {
    let isOver = false;
    let begun = 0;
    function* until() {
      for (let step = 0; !isOver; step++) {
        // More than in a first slice.
        if (step === 20) begun++;
        spin(1);
        yield;
      }
    }
    const loud = Array.from({ length: 12 }, (_, at) =>
      runInSlices(until(), { share: ["team_loud", "user_ada", `run_${at}`] }, 60_000),
    );
    while (begun < 8) await nextTurn();
    expect(await runInSlices(steps(40), { share: ["team_quiet", "", ""] }, 5_000)).toBe("whole");
    expect(begun).toBe(8);
    isOver = true;
    await Promise.all(loud);
  });

  it("is left where it is when nobody wants it any more", async () => {
    const end = new AbortController();
    let done = 0;
    const work = runInSlices(
      steps(100_000, () => {
        if (++done === 30) end.abort(new Error("killed"));
      }),
      { ...forAda, signal: end.signal },
      60_000,
    );
    await expect(work).rejects.toThrow("killed");
    expect(done).toBeLessThan(100);
  });

  it("works through what it yields and returns, and hears of what fails in it", async () => {
    function* inner(): Generator<undefined, number> {
      yield;
      return 20;
    }
    function* failing(): Generator<undefined, number> {
      yield;
      throw new Error("inside");
    }
    function* outer(): Generator<unknown, Iterator<unknown, number>, number> {
      const sum = (yield inner()) + (yield 1);
      try {
        yield failing();
      } catch (error) {
        expect(error).toMatchObject({ message: "inside" });
      }
      function* last() {
        yield;
        return sum + 1;
      }
      return last();
    }
    expect(await runInSlices(outer(), forAda, 1_000)).toBe(22);
    await expect(runInSlices(failing(), forAda, 1_000)).rejects.toThrow("inside");
  });
});
