import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, freshAgent, startAgentService } from "../../testing/agents.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  await app.context.store.db
    .insertInto("evaluations")
    .values([
      { ...saved, id: "rub_house", name: "House rules" },
      { ...saved, id: "rub_gone", name: "Old rules", deleted_at: new Date() },
    ])
    .execute();
});
afterAll(() => app.stop());

const saved = { owner_id: "user_kim", team_id: null, description: null, deleted_at: null };

const interaction = {
  user_id: "user_kim",
  team_id: null,
  name: "A talk",
  type: "api",
  state: "completed" as const,
  error: null,
};

const order = ["pass", "needs_review", "needs_attention"] as const;
const names = { rub_house: "House rules", rub_gone: "Old rules" } as const;

/** One result of a conversation, `ago` days back. */
interface Given {
  readonly session: number;
  readonly rubric: keyof typeof names | null;
  readonly grade: (typeof order)[number] | null;
  readonly tags: readonly string[];
  readonly ago: number;
}

/** Writes results of an agent of their own and reads its metrics. */
async function metricsOf(given: readonly Given[], days: number) {
  const agent = await freshAgent(app.context);
  const { db } = app.context.store;
  const ids = new Map<number, string>();
  for (const session of new Set(given.map((one) => one.session)))
    ids.set(session, app.context.ids.make("int"));
  for (const id of ids.values()) {
    await db
      .insertInto("interactions")
      .values({ ...interaction, id, agent_id: agent, execution_id: id })
      .execute();
  }
  if (given.length > 0) {
    const rows = given.map((one) => ({
      id: app.context.ids.make("eval"),
      evaluation_id: one.rubric,
      agent_id: agent,
      interaction_id: ids.get(one.session) ?? "",
      grade: one.grade,
      tags: toJson(one.tags),
      created_at: new Date(Date.now() - one.ago * 86_400_000),
    }));
    await db.insertInto("evaluation_results").values(rows).execute();
  }
  return (await app.call("kim", "GET", `/agents/${agent}/evaluations/metrics?days=${days}`)).body;
}

/** The same counts, worked out one by one. */
function countedByHand(given: readonly Given[]) {
  const sessions = [...new Set(given.map((one) => one.session))];
  const worst = sessions.map((session) =>
    Math.max(
      ...given
        .filter((one) => one.session === session)
        .map(({ grade }) => (grade ? order.indexOf(grade) : -1)),
    ),
  );
  const tags = [...new Set(given.flatMap((one) => one.tags))];
  return {
    grades: Object.fromEntries(order.map((grade, at) => [grade, worst.filter((one) => one === at).length])),
    tags: Object.fromEntries(
      tags.map((tag) => [
        tag,
        new Set(given.filter((one) => one.tags.includes(tag)).map((one) => one.session)).size,
      ]),
    ),
  };
}

describe("the metrics of evaluations (§4.10)", () => {
  it("count a conversation that two rubrics judged once, by the worse grade, and each rubric for itself", async () => {
    const both = (session: number, own: Given["grade"], house: Given["grade"]): Given[] => [
      { session, rubric: null, grade: own, tags: ["LATE"], ago: 1 },
      { session, rubric: "rub_house", grade: house, tags: ["LATE"], ago: 1 },
    ];
    const given = [
      ...both(1, "pass", "pass"),
      ...both(2, "pass", "needs_attention"),
      ...both(3, "needs_review", "pass"),
    ];
    const metrics = await metricsOf(given, 30);
    expect(metrics).toMatchObject({
      grades: { pass: 1, needs_review: 1, needs_attention: 1 },
      tags: { LATE: 3 },
      counted: "sessions",
      results: 6,
    });
    expect(metrics.rubrics).toEqual([
      {
        rubric: null,
        grades: { pass: 2, needs_review: 1, needs_attention: 0 },
        before: { pass: 0, needs_review: 0, needs_attention: 0 },
      },
      {
        rubric: { id: "rub_house", name: "House rules" },
        grades: { pass: 2, needs_review: 0, needs_attention: 1 },
        before: { pass: 0, needs_review: 0, needs_attention: 0 },
      },
    ]);
  });

  it("count a conversation of both periods in each of them", async () => {
    const talk = { session: 1, rubric: null, tags: ["LATE"] };
    const metrics = await metricsOf(
      [
        { ...talk, grade: "pass", ago: 3 },
        { ...talk, grade: "needs_attention", ago: 10 },
      ],
      7,
    );
    expect(metrics).toMatchObject({ grades: { pass: 1, needs_attention: 0 }, tags: { LATE: 1 } });
    expect(metrics.before).toEqual({
      grades: { pass: 0, needs_review: 0, needs_attention: 1 },
      tags: { LATE: 1 },
    });
  });

  it("agree with counting by hand, whatever was judged how often, when and by whom", async () => {
    const result = fc.record({
      session: fc.integer({ min: 0, max: 4 }),
      rubric: fc.constantFrom(null, "rub_house" as const, "rub_gone" as const),
      grade: fc.constantFrom(null, ...order),
      tags: fc.subarray(["LATE", "CURT", "constructor"]),
      ago: fc.constantFrom(0.5, 6.9, 7.1, 13.9, 14.1, 400),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 14 }), async (given) => {
        const now = given.filter(({ ago }) => ago < 7);
        const before = given.filter(({ ago }) => ago > 7 && ago < 14);
        const rubrics = [null, "rub_house", "rub_gone"] as const;
        const metrics = await metricsOf(given, 7);
        expect(metrics).toMatchObject({
          ...countedByHand(now),
          results: now.length,
          before: countedByHand(before),
        });
        const there = rubrics.filter((rubric) =>
          [...now, ...before].some((one) => one.rubric === rubric && one.grade !== null),
        );
        const byName = (list: readonly { rubric: { id: string } | null }[]) =>
          [...list].sort((a, b) => (a.rubric?.id ?? "").localeCompare(b.rubric?.id ?? ""));
        expect(byName(metrics.rubrics)).toEqual(
          byName(
            there.map((rubric) => ({
              rubric: rubric && { id: rubric, name: names[rubric] },
              grades: countedByHand(now.filter((one) => one.rubric === rubric)).grades,
              before: countedByHand(before.filter((one) => one.rubric === rubric)).grades,
            })),
          ),
        );
      }),
      { numRuns: 25 },
    );
  });
});
