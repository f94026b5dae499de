import { z } from "zod";
import type { EvaluationResult } from "../../contract/evaluations.ts";
import type { Criterion } from "../../contract/rubric.ts";
import { type CriterionResult, gradeOf } from "./grade.ts";
import type { Judgement } from "./judgement.ts";
import type { Rubric } from "./rubric.ts";
import { createWordMatcher, readWordList } from "./word-list.ts";

const criterionResult = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  priority: z.string(),
  result: z.string(),
  rationale: z.string().nullable(),
});

const dataResult = z.object({
  id: z.string(),
  name: z.string(),
  data_type: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});

/** What a result holds beyond its own columns, as it is stored. */
export const storedVerdict = z.object({
  summary: z.string().nullable().catch(null),
  sentiment: z.string().nullable().catch(null),
  call_successful: z.string().nullable().catch(null),
  criteria_results: z.array(criterionResult).catch([]),
  data_results: z.array(dataResult).catch([]),
  model_name: z.string().nullable().catch(null),
  rubric_name: z.string().nullable().catch(null),
});

/** How an evaluation ends: the result of its execution. */
export const verdict = storedVerdict.extend({ grade: z.string().nullable(), tags: z.array(z.string()) });
export type Verdict = z.output<typeof verdict>;

/** One thing that the agent said, with the number of its message. */
interface Said {
  readonly number: number;
  readonly text: string;
}

/** Criteria that code decides, by id; all others need judgement. */
export function decideByCode(
  criteria: readonly Criterion[],
  said: readonly Said[],
): ReadonlyMap<string, CriterionResult> {
  const decided = new Map<string, CriterionResult>();
  const lists = criteria.map(({ type, prompt }) =>
    type === "prohibited_words" ? readWordList(prompt) : null,
  );
  const find = createWordMatcher(new Set(lists.flatMap((words) => words ?? [])));
  const heard = said.map(({ number, text }) => ({ number, words: find(text) }));
  for (const [index, criterion] of criteria.entries()) {
    const words = lists[index] ?? null;
    if (words === null) continue;
    const found = heard.flatMap(({ number, words: there }) =>
      there.size === 0
        ? []
        : words.filter((word) => there.has(word)).map((word) => `"${word}" in message ${number}`),
    );
    decided.set(criterion.id, {
      ...shown(criterion),
      result: found.length === 0 ? "success" : "failure",
      rationale:
        found.length === 0
          ? `None of ${words.length} words and phrases was said.`
          : `The agent said ${found.slice(0, 10).join(", ")}${found.length > 10 ? ` and ${found.length - 10} more` : ""}.`,
    });
  }
  return decided;
}

/**
 * Puts together what code and the model said. Nothing is made up where no model judged: what needs judgement is
 * `unknown`, everything else empty.
 */
export function makeVerdict(
  rubric: Rubric,
  facts: { readonly model: string | null; readonly rubricName: string | null },
  byCode: ReadonlyMap<string, CriterionResult>,
  judgement: Judgement | null,
): Verdict {
  const criteria = rubric.criteria.map((criterion): CriterionResult => {
    const decided = byCode.get(criterion.id);
    if (decided !== undefined) return decided;
    const judged = judgement?.criteria.get(criterion.id);
    const rationale = judged?.rationale ?? "This needs judgement, but no model is configured to judge it.";
    return { ...shown(criterion), result: judged?.result ?? "unknown", rationale };
  });
  const data = rubric.data_points.map(({ id, name, data_type }): EvaluationResult["data_results"][number] => {
    return { id, name, data_type, value: judgement?.data.get(id) ?? null };
  });
  const sentiment = judgement?.sentiment ?? null;
  return {
    grade: gradeOf(criteria, { value: sentiment, affectsGrade: rubric.sentiment?.affects_grade === true }),
    summary: judgement?.summary ?? null,
    sentiment,
    call_successful: judgement?.callSuccessful ?? null,
    criteria_results: criteria,
    data_results: data,
    tags: [...(judgement?.tags ?? [])],
    model_name: facts.model,
    rubric_name: facts.rubricName,
  };
}

function shown({ id, name, type, priority }: Criterion) {
  return { id, name, type, priority };
}
