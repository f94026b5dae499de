import { z } from "zod";
import type { EvaluationResult } from "../../contract/evaluations.ts";
import type { Criterion } from "../../contract/rubric.ts";
import { type CriterionResult, gradeOf } from "./grade.ts";
import type { Judgement } from "./judgement.ts";
import type { Rubric } from "./rubric.ts";
import { createWordMatcher, readWordList, type WordListener } from "./word-list.ts";

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

/** Listens to the agent, message by message, for what code decides. */
export interface CodeJudge {
  /** What one message says. @param number of the message */
  message(number: number): Pick<WordListener, "hear">;
  /** Criteria that code decides, by id; all others need judgement. */
  decided(): ReadonlyMap<string, CriterionResult>;
}

/** Of the places of a word that a rationale names. */
const mostNamed = 10;

/** Whatever was said, it keeps what it will say of it. */
export function createCodeJudge(criteria: readonly Criterion[]): CodeJudge {
  const lists = criteria.flatMap((criterion) => {
    const words = criterion.type === "prohibited_words" ? readWordList(criterion.prompt) : null;
    if (words === null) return [];
    const order = new Map(words.map((word, index) => [word, index]));
    return [{ criterion, words, order, named: [] as string[], count: 0 }];
  });
  const listen = createWordMatcher(new Set(lists.flatMap(({ words }) => words)));
  let current: { readonly number: number; readonly listener: WordListener } | null = null;
  const close = () => {
    if (current === null) return;
    const { number, listener } = current;
    current = null;
    for (const list of lists) {
      const at = (word: string) => list.order.get(word) ?? 0;
      const there = [...listener.heard].filter((word) => list.order.has(word));
      list.count += there.length;
      const sorted = there.sort((one, other) => at(one) - at(other));
      for (const word of sorted.slice(0, mostNamed - list.named.length))
        list.named.push(`"${word}" in message ${number}`);
    }
  };
  return {
    message(number) {
      close();
      const listener = listen();
      current = { number, listener };
      return listener;
    },
    decided() {
      close();
      return new Map(
        lists.map(({ criterion, words, named, count }) => [
          criterion.id,
          {
            ...shown(criterion),
            result: count === 0 ? "success" : "failure",
            rationale:
              count === 0
                ? `None of ${words.length} words and phrases was said.`
                : `The agent said ${named.join(", ")}${count > mostNamed ? ` and ${count - mostNamed} more` : ""}.`,
          },
        ]),
      );
    },
  };
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
