import { type Evaluation, listEvaluations } from "../contract/evaluations.ts";
import { getEvaluation, listRubricResults, updateEvaluation } from "../contract/rubric-edit.ts";
import type { MockService } from "./msw.ts";
import { Refusal } from "./msw-state.ts";

/** A saved rubric of the person's own, which is on. */
export const aRubric = (part: Partial<Evaluation> = {}): Evaluation => ({
  ...{ id: "rub_1", name: "No promises", description: "Of the house", enabled: true, team_id: null },
  config: {
    ...{ model_name: null, frequency: "debounced", language: "auto", include_auto_tags: false },
    ...{ interaction_types: [], tags: [], data_points: [], sentiment: null },
    criteria: [
      { id: "c1", name: "Polite", prompt: "Is polite.", type: "voice_tone", priority: "needs_review" },
    ],
  },
  ...{ created_at: "2026-11-20T08:00:00Z", updated_at: "2026-11-20T08:00:00Z" },
  use: { days: 30, sessions: 12, agents: 3, last_at: "2026-11-20T09:00:00Z" },
  ...part,
});

/** A service with one rubric, which changes as it is asked to. */
export function withRubric(service: MockService, part: Partial<Evaluation> = {}) {
  const held = { rubric: aRubric(part) };
  const list = () => ({ evaluations: [held.rubric], next_cursor: null });
  service.override(listEvaluations, list);
  service.override(getEvaluation, () => ({ evaluation: held.rubric }));
  service.override(listRubricResults, { evaluations: [], next_cursor: null });
  service.override(updateEvaluation, ({ body }) => {
    if (body.updated_at && body.updated_at !== held.rubric.updated_at)
      return new Refusal("evaluation_changed");
    const { enabled, name } = body;
    held.rubric = {
      ...held.rubric,
      ...(enabled != null && { enabled }),
      ...(name != null && { name }),
      updated_at: new Date(Date.parse(held.rubric.updated_at) + 1_000).toISOString(),
    };
    return { evaluation: held.rubric };
  });
  return held;
}
