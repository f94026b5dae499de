import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { changeOf, configRules, draftOf } from "../form/rubric-draft.ts";
import { readCounts } from "../grades.tsx";
import type { ResultIn } from "../queries.ts";
import { criteriaOf, dataPointsOf, daysOfResults, filterResults, splitResults } from "./results.ts";
import { daysOfWindows } from "./useEvaluations.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

function aResult(part: Partial<ResultIn>): ResultIn {
  return {
    evaluation_id: "eval_1",
    interaction_id: "int_1",
    created_ts: "2026-11-20T08:00:00+00:00",
    grade: "pass",
    ...part,
  };
}

const judged = (result: string, id = "c1") => [
  { id, name: id, type: "other", priority: "needs_review", result },
];

describe("what the results say", () => {
  it("counts each day of the period, also those without any", () => {
    const days = daysOfResults(
      [
        aResult({}),
        aResult({ interaction_id: "int_2", grade: "needs_review" }),
        aResult({ created_ts: "2026-11-18T23:59:00+00:00" }),
      ],
      3,
      now,
      "utc",
    );
    expect(days.map(({ day, counts }) => [day, Object.fromEntries(counts)])).toEqual([
      ["2026-11-18", { pass: 1 }],
      ["2026-11-19", {}],
      ["2026-11-20", { pass: 1, needs_review: 1 }],
    ]);
  });

  it("counts also the part of a day with which the period begins", () => {
    const results = [aResult({ created_ts: "2026-11-17T18:00:00+00:00" }), aResult({})];
    const days = daysOfResults(splitResults(results, 3, now).current, 3, now, "utc");
    expect(days.map(({ day, counts }) => [day, counts.get("pass") ?? 0])).toEqual([
      ["2026-11-17", 1],
      ["2026-11-18", 0],
      ["2026-11-19", 0],
      ["2026-11-20", 1],
    ]);
  });

  it("counts a conversation once a day, by the worst grade of that day, whoever judged it how often", () => {
    const grade = fc.constantFrom(null, "pass", "needs_review", "needs_attention");
    const result = fc.record({ interaction_id: fc.constantFrom("int_1", "int_2", "int_3"), grade });
    const order = ["pass", "needs_review", "needs_attention"];
    fc.assert(
      fc.property(fc.array(result), (given) => {
        const [day] = daysOfResults(given.map(aResult), 1, now, "utc");
        const worst = ["int_1", "int_2", "int_3"].map((id) =>
          Math.max(
            -1,
            ...given.filter((one) => one.interaction_id === id).map((one) => order.indexOf(one.grade ?? "")),
          ),
        );
        expect(Object.fromEntries(day?.counts ?? [])).toEqual(
          Object.fromEntries(
            order.flatMap((one, at) => {
              const count = worst.filter((each) => each === at).length;
              return count === 0 ? [] : [[one, count]];
            }),
          ),
        );
      }),
    );
  });

  it("has each day once where the clocks change", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    // The night in which an hour is left out lies in the first period, the one with an hour more in the second.
    for (const [end, first] of [
      ["2026-04-05T00:30:00+02:00", "2026-03-28"],
      ["2026-10-29T23:30:00+01:00", "2026-10-21"],
    ] as const) {
      const days = daysOfResults([], 9, Date.parse(end), "local").map(({ day }) => day);
      expect(days).toHaveLength(9);
      expect(days[0]).toBe(first);
    }
    vi.unstubAllEnvs();
  });

  it("counts what was not judged neither as met nor as not met", () => {
    const [criterion] = criteriaOf(
      [
        aResult({ criteria_results: judged("failure") as never }),
        aResult({ interaction_id: "int_2", criteria_results: judged("success") as never }),
        aResult({ interaction_id: "int_3", criteria_results: judged("unknown") as never }),
        aResult({ interaction_id: "int_4", criteria_results: null }),
      ],
      [aResult({ criteria_results: judged("failure") as never })],
    );
    expect(criterion).toMatchObject({ failed: 1, judged: 2, unknown: 1, failedBefore: 1, judgedBefore: 1 });
  });

  it("counts a conversation whose turns were judged one by one once at each criterion, each rubric's for itself", () => {
    const turn = (result: string, part: Partial<ResultIn> = {}) =>
      aResult({ criteria_results: judged(result) as never, ...part });
    const house = { id: "rub_1", name: "House rules" };
    const shares = criteriaOf(
      [turn("success"), turn("failure"), turn("unknown"), turn("success", { rubric: house })],
      [],
    );
    expect(shares).toMatchObject([
      { id: "c1", rubric: null, failed: 1, judged: 1, unknown: 0 },
      { id: "c1", rubric: house, failed: 0, judged: 1, unknown: 0 },
    ]);
  });

  it("reads the data of a conversation from its newest result", () => {
    const found = (value: number, created_ts: string) =>
      aResult({
        created_ts,
        data_results: [{ id: "n", name: "n", data_type: "number", value }] as never,
      });
    const [point] = dataPointsOf([
      found(9, "2026-11-20T09:00:00+00:00"),
      found(1, "2026-11-20T08:00:00+00:00"),
      found(1, "2026-11-20T07:00:00+00:00"),
    ]);
    expect(point?.words).toBe("median 9");
  });

  it("tells the data of two rubrics apart that call it by the same id", () => {
    const house = { id: "rub_1", name: "House rules" };
    const found = (value: number, part: Partial<ResultIn> = {}) =>
      aResult({ data_results: [{ id: "n", name: "Count", data_type: "number", value }] as never, ...part });
    const other = { interaction_id: "int_2" };
    const results = [
      found(9),
      found(9, other),
      found(1, { rubric: house }),
      found(1, { ...other, rubric: house }),
    ];
    expect(dataPointsOf(results).map(({ rubric, words }) => [rubric?.name, words])).toEqual([
      [undefined, "median 9"],
      ["House rules", "median 1"],
    ]);
  });

  it("says each data point in one expression", () => {
    const data = (value: unknown) =>
      aResult({
        interaction_id: `int_${String(value)}`,
        data_results: [
          { id: "amount", name: "amount", data_type: "number", value },
          { id: "asked", name: "asked", data_type: "boolean", value: value === 3 },
          { id: "none", name: "none", data_type: "string", value: null },
        ] as never,
      });
    expect(dataPointsOf([data(1), data(3), data(1840)]).map(({ words }) => words)).toEqual([
      "median 3",
      "1 yes",
      "never found",
    ]);
  });

  it("splits the period from the one before it, and filters by what a bar, grade, tag or criterion opened", () => {
    const old = aResult({ evaluation_id: "old", created_ts: "2026-11-10T08:00:00+00:00" });
    const bad = aResult({
      evaluation_id: "bad",
      grade: "needs_attention",
      applied_tags: ["LATE"],
      criteria_results: judged("failure") as never,
    });
    const { current, before } = splitResults([aResult({}), bad, old], 7, now);
    expect([current.length, before.length]).toEqual([2, 1]);
    for (const search of [{ grade: "needs_attention" }, { tag: "LATE" }, { criterion: "c1" }])
      expect(filterResults(current, search, "utc")).toEqual([bad]);
    expect(filterResults(current, { day: "2026-11-19" }, "utc")).toEqual([]);
  });
});

describe("a trend from windows", () => {
  it("is the difference of each window and the next shorter one, oldest first", () => {
    const bars = daysOfWindows(
      [
        { days: 1, counts: readCounts({ pass: 2 }) },
        { days: 3, counts: readCounts({ pass: 5, needs_review: 1 }) },
        { days: 2, counts: readCounts({ pass: 2 }) },
      ],
      now,
      "utc",
    );
    expect(bars.map(({ day, days, counts }) => [day, days, Object.fromEntries(counts)])).toEqual([
      ["2026-11-18", 1, { pass: 3, needs_review: 1 }],
      ["2026-11-19", 1, {}],
      ["2026-11-20", 1, { pass: 2 }],
    ]);
  });
});

describe("the configuration", () => {
  const config = {
    agent_id: "a",
    enabled: false,
    criteria: [
      { id: "c1", name: "Polite", prompt: "Is polite", type: "voice_tone", priority: "needs_review" },
    ],
    tags: [{ name: "LATE", description: "" }],
  } as const;

  it("sends only what was changed, lists as a whole with the ids that they have", () => {
    const base = draftOf(config as never);
    expect(changeOf(base, base)).toEqual({});
    const added = {
      id: null,
      name: "No",
      prompt: "x",
      type: "other",
      priority: "needs_attention",
    };
    expect(changeOf(base, { ...base, enabled: true, criteria: [...base.criteria, added] })).toEqual({
      enabled: true,
      criteria: [
        { id: "c1", name: "Polite", prompt: "Is polite", type: "voice_tone", priority: "needs_review" },
        { name: "No", prompt: "x", type: "other", priority: "needs_attention" },
      ],
    });
  });

  it("names what is not complete, at its row", () => {
    const base = draftOf(config as never);
    const broken = {
      ...base,
      criteria: [{ ...base.criteria[0], prompt: " " } as (typeof base.criteria)[0]],
      tags: [...base.tags, { name: "late notice", description: "" }, { name: "LATE", description: "" }],
    };
    expect(configRules(broken).map(({ path }) => path.join("."))).toEqual([
      "criteria.0.prompt",
      "tags.1.name",
      "tags.2.name",
    ]);
  });
});
