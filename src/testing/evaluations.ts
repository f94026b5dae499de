import {
  type EvaluationConfig,
  type EvaluationResult,
  getEvaluationConfig,
  getEvaluationMetrics,
  listEvaluationResults,
} from "../contract/evaluations.ts";
import type { MockService } from "./msw.ts";

/** How the clerk is evaluated: by a model of its own and one criterion. */
export function anEvaluationConfig(part: Partial<EvaluationConfig> = {}): EvaluationConfig {
  return {
    agent_id: "agent_clerk",
    enabled: true,
    is_active: true,
    model_name: "openai/judge",
    frequency: "debounced",
    language: "auto",
    include_auto_tags: false,
    interaction_types: [],
    criteria: [
      { id: "c1", name: "Polite", prompt: "Is polite", type: "voice_tone", priority: "needs_review" },
    ],
    tags: [],
    data_points: [],
    sentiment: null,
    updated_ts: "2026-11-20T08:00:00+00:00",
    ...part,
  };
}

/** One conversation that needs attention. */
export function anEvaluationResult(part: Partial<EvaluationResult> = {}): EvaluationResult {
  return {
    evaluation_id: "eval_1",
    interaction_id: "int_1",
    session_name: "Refund request",
    turn: 2,
    agent_id: "agent_clerk",
    created_ts: new Date(Date.now() - 3_600_000).toISOString().replace("Z", "+00:00"),
    status: "completed",
    grade: "needs_attention",
    sentiment: null,
    summary: "The clerk was curt.",
    criteria_results: [
      {
        id: "c1",
        name: "Polite",
        type: "voice_tone",
        priority: "needs_attention",
        result: "failure",
        rationale: "It said <b>no</b> twice.",
      },
    ],
    data_results: [],
    applied_tags: ["CURT"],
    ...part,
  };
}

/** Lets a mock service have evaluations of the clerk: 25 in the period, six passes before it. */
export function giveEvaluations(service: MockService, results = [anEvaluationResult()]) {
  service.override(getEvaluationMetrics, ({ query }) => ({
    days: query.days ?? 30,
    grades: { pass: (query.days ?? 30) > 30 ? 30 : 24, needs_attention: 1 },
    tags: { CURT: 1 },
  }));
  service.override(getEvaluationConfig, { config: anEvaluationConfig() });
  service.override(listEvaluationResults, { evaluations: results, next_cursor: null });
}
