import type { EvaluationResult } from "../../contract/evaluations.ts";

/** How one criterion turned out. */
export type CriterionResult = EvaluationResult["criteria_results"][number];

export interface SentimentFact {
  /** Null where nobody read it. */
  readonly value: string | null;
  readonly affectsGrade: boolean;
}

/**
 * The grade of a session (docs/interface.md, "Evaluations"): the most serious priority of its failed criteria; a negative
 * sentiment that counts needs a review; else it passes. `unknown` counts for nothing.
 * @returns null where nothing was decided
 */
export function gradeOf(
  criteria: readonly CriterionResult[],
  sentiment: SentimentFact,
): "pass" | "needs_review" | "needs_attention" | null {
  const decided = criteria.filter(({ result }) => result === "success" || result === "failure");
  const mood = sentiment.affectsGrade ? sentiment.value : null;
  const failed = decided.filter(({ result }) => result === "failure");
  if (failed.some(({ priority }) => priority === "needs_attention")) return "needs_attention";
  if (failed.length > 0 || mood === "negative") return "needs_review";
  return decided.length > 0 || mood !== null ? "pass" : null;
}
