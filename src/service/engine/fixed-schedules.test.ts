import { describe, expect, test } from "vitest";
import type { Action, Plan } from "../../testing/schedules/actions.ts";
import { brokenAfter } from "../../testing/schedules/run-schedule.ts";

/** Schedules that the few seeds of `schedules.test.ts` seldom come to. */
describe("a schedule", () => {
  const failsOver = (isReadOnly: boolean): Action => ({ do: "fail over", isReadOnly });
  const begins = { do: "parts", at: 0, who: 0, by: "start" } as const;
  const goesAgain = {
    ...({ do: "again", at: 0, which: 0, by: 0, level: "top", flow: "as_run", fails: null } as const),
    ...{ twice: true, waits: true },
  };
  const runs: Action = {
    ...{ do: "run", at: 0, who: 0 },
    script: [{ do: "effect" }, { do: "wait", ms: 10 }, { do: "effect" }, { do: "think" }],
    by: "launch",
  };

  test("S-117: in which a run goes again does nothing of what it took over again, from any step", async () => {
    for (const [fails, from] of [
      ["many/0", 0],
      ["two", 2],
      [null, 3],
    ] as const)
      expect(
        await brokenAfter([
          { ...begins, fails },
          { ...goesAgain, from },
        ]),
      ).toEqual([]);
  });

  test("S-90: in which the database takes nothing for a while tells whoever starts that it is away", async () => {
    const away = [failsOver(true), runs, { ...begins, fails: null }, { do: "pass", ms: 20 }] as const;
    expect(await brokenAfter([runs, ...away, failsOver(false), runs])).toEqual([]);
  });

  test("S-90: in which the database takes nothing while runs are at work ends each of them once", async () => {
    const atWork = Array.from({ length: 6 }, () => runs);
    const talks: Action = { do: "talk", at: 0, who: 0, plan: "run" };
    const pass: Action = { do: "pass", ms: 5 };
    expect(
      await brokenAfter([...atWork, talks, pass, failsOver(true), pass, failsOver(false), ...atWork, pass]),
    ).toEqual([]);
  });

  test("S-387: in which turns end, and are stopped, leaves in their conversations what belongs to that", async () => {
    const says = (plan: Plan, who: number): Action => ({ do: "talk", at: 0, who, plan });
    const talks = [says("say", 0), says("run", 1), says("ask", 2), says("run and ask", 0)];
    const more: Action = { do: "continue", at: 0, which: 1, crowd: 1, plan: "run" };
    const asked = (count: number): Action => ({ do: "wait for questions", count });
    const stops = [2, 3].map((which): Action => ({ do: "kill", at: 0, which, twice: true }));
    expect(await brokenAfter([...talks, asked(2), more, ...stops, asked(0), runs])).toEqual([]);
  });
});
