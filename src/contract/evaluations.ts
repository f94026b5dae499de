import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { boundedText, list, name, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { criterionPriority, criterionType, dataType, rubricChange, rubricFields } from "./rubric.ts";
import { commaList, count, integer, nextCursor, page, text, time, timestamp, utcTime } from "./wire.ts";

/** The grade of an evaluated session. */
export const grade = openEnum(["pass", "needs_review", "needs_attention"]);

/** A model that judges; null: none, so that code decides what it can, and the rest stays undecided. */
const judge = z.optional(z.nullable(z.string()));

/** §2.6. An agent that was never configured has the defaults with `enabled: false`. The optional fields are our service's own. */
export const evaluationConfig = z.object({
  agent_id: z.string(),
  enabled: z.boolean(),
  is_active: z.boolean(),
  ...rubricFields,
  /** Who judges by the configuration as it is: `model_name`, else the agent's own model. */
  judge_model_name: judge,
  /** Who judges where `model_name` is null: the agent's own model. */
  default_judge_model_name: judge,
  /** Saved rubrics that judge the agent's conversations by themselves, whether this configuration is enabled or not. */
  saved_rubrics: z.optional(z.array(z.object({ id: z.string(), name: z.string(), judge_model_name: judge }))),
  updated_ts: z.nullable(timestamp),
});
export type EvaluationConfig = z.output<typeof evaluationConfig>;

const grades = z.record(z.string(), count);
const tags = z.record(z.string(), count);

/** §2.7. A grade without results may be missing. The optional fields are our service's own. */
export const evaluationMetrics = z.object({
  /** The look-back window that was applied. */
  days: z.int(),
  grades,
  tags,
  /**
   * What `grades` and `tags` count. `sessions`: each session once, by the worst grade that it got in the window. Without
   * it nothing is said, and they may count results.
   */
  counted: z.optional(openEnum(["sessions"])),
  /** How many completed results are behind it, also those without a grade. */
  results: z.optional(count),
  /** The same of as many days before the window: a session that got grades in both counts in both. */
  before: z.optional(z.object({ grades, tags })),
  /** Each of those that judged in the window or before it, for itself; `rubric` null: the agent's own configuration. */
  rubrics: z.optional(
    z.array(
      z.object({
        rubric: z.nullable(z.object({ id: z.string(), name: z.string() })),
        grades,
        before: grades,
      }),
    ),
  ),
});
export type EvaluationMetrics = z.output<typeof evaluationMetrics>;

/**
 * One evaluated session (public). Public clients read `interaction_id`; `session_id` is the same value. The optional
 * fields are our service's own.
 */
export const evaluationResult = z.object({
  evaluation_id: z.string(),
  interaction_id: z.string(),
  session_id: z.optional(z.string()),
  session_name: z.optional(z.nullable(z.string())),
  /** The conversation was judged up to and with this turn, from 1: its messages 1 to `2 * turn`. */
  turn: z.optional(z.nullable(count)),
  agent_id: z.string(),
  /** The saved rubric that was applied; null: the agent's own configuration. It may be deleted since. */
  rubric: z.optional(z.nullable(z.object({ id: z.string(), name: z.string() }))),
  /** Whether a model judged, or only code decided; nothing is said of that without this field. */
  judged_by: z.optional(openEnum(["model", "code"])),
  /** The model that judged; null where none did. */
  model_name: z.optional(z.nullable(z.string())),
  created_ts: timestamp,
  finished_ts: z.optional(z.nullable(timestamp)),
  status: openEnum(["queued", "running", "completed", "failed"]),
  /** Why it failed, in words; null otherwise. */
  error: z.optional(z.nullable(z.string())),
  /** Null until it is completed. */
  grade: z.nullable(grade),
  call_successful: z.optional(z.nullable(openEnum(["success", "failure", "unknown"]))),
  sentiment: z.nullable(openEnum(["positive", "neutral", "negative"])),
  summary: z.nullable(z.string()),
  criteria_results: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: criterionType,
      priority: criterionPriority,
      result: openEnum(["success", "failure", "unknown"]),
      rationale: z.nullable(z.string()),
    }),
  ),
  data_results: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      data_type: dataType,
      value: z.nullable(z.union([z.string(), z.number(), z.boolean()])),
    }),
  ),
  applied_tags: z.array(z.string()),
});
export type EvaluationResult = z.output<typeof evaluationResult>;

/** §2.8: a saved rubric. The optional fields are our service's own. */
export const evaluation = z.object({
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  enabled: z.boolean(),
  config: z.object(rubricFields),
  created_at: utcTime,
  updated_at: utcTime,
  /** Whose conversations it judges: those of this team's agents; null: of its owner's own. */
  team_id: z.optional(z.nullable(z.string())),
  /** How many conversations of how many agents it judged in the last `days`, and when it judged last. */
  use: z.optional(z.object({ days: count, sessions: count, agents: count, last_at: z.nullable(utcTime) })),
});
export type Evaluation = z.output<typeof evaluation>;

const byAgent = z.object({ agent_id: text });

/** §4.10. */
export const getEvaluationMetrics = endpoint({
  name: "getEvaluationMetrics",
  tier: "core",
  section: "§4.10",
  summary: "Get evaluation metrics of an agent",
  method: "GET",
  path: "/agents/{agent_id}/evaluations/metrics",
  kind: "read",
  params: byAgent,
  /** Default: 30. Out of range is `invalid_parameter`. */
  query: z.object({ days: z.optional(integer(1, 365)) }),
  response: evaluationMetrics,
  errors: ["not_found"],
});

/** §4.11. */
export const getEvaluationConfig = endpoint({
  name: "getEvaluationConfig",
  tier: "core",
  section: "§4.11",
  summary: "Get the evaluation configuration of an agent",
  method: "GET",
  path: "/agents/{agent_id}/evaluation-config",
  kind: "read",
  params: byAgent,
  response: z.object({ config: evaluationConfig }),
  errors: ["not_found"],
});

/** Public: only the fields that are sent change; lists replace. */
export const updateEvaluationConfig = endpoint({
  name: "updateEvaluationConfig",
  tier: "public",
  capability: "evaluation_config_edit",
  section: "Evaluations",
  summary: "Change the evaluation configuration of an agent",
  method: "PATCH",
  path: "/agents/{agent_id}/evaluation-config",
  kind: "write",
  params: byAgent,
  body: z.object({ enabled: z.nullish(z.boolean()), ...rubricChange }),
  response: z.object({ config: evaluationConfig }),
  errors: ["not_found"],
});

/**
 * Public: the results of an agent, newest first: those whose conversation the caller may read. The metrics count all of
 * them, so there may be more than are listed.
 */
export const listEvaluationResults = endpoint({
  name: "listEvaluationResults",
  tier: "public",
  capability: "evaluation_results",
  section: "Evaluations",
  summary: "List evaluation results of an agent",
  method: "GET",
  path: "/agents/{agent_id}/evaluations",
  kind: "read",
  params: byAgent,
  query: z.object({
    grade: z.optional(text),
    session_id: z.optional(text),
    tag: z.optional(text),
    /** Own: one result. */
    evaluation_id: z.optional(text),
    /** Own: one or several statuses, separated by commas. */
    status: z.optional(commaList),
    /** Own: results that failed this criterion. */
    criterion_id: z.optional(text),
    created_after: z.optional(time),
    created_before: z.optional(time),
    ...page,
  }),
  response: z.object({ evaluations: z.array(evaluationResult), next_cursor: nextCursor }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});

/**
 * Public: evaluates finished sessions now, by the agent's own configuration, also where it is switched off or `manual`.
 * A session whose newest turn is evaluated already gets a new result in place of that one. Others are skipped:
 * `ineligible` (not there for the caller, of another agent, still processing, or nothing is configured), `in_flight`.
 */
export const runEvaluations = endpoint({
  name: "runEvaluations",
  tier: "public",
  capability: "evaluation_runs",
  section: "Evaluations",
  summary: "Evaluate sessions of an agent",
  method: "POST",
  path: "/agents/{agent_id}/evaluations/run",
  kind: "write",
  params: byAgent,
  body: z.object({
    session_ids: list(text, 200).check(z.minLength(1, "must name at least one session")),
    /** Say what would be queued and skipped, and queue nothing. */
    dry_run: z.nullish(z.boolean()),
  }),
  response: z.object({
    queued: z.array(
      z.looseObject({ session_id: z.string(), evaluation_id: z.optional(z.nullable(z.string())) }),
    ),
    skipped: z.array(
      z.looseObject({
        session_id: z.string(),
        reason: openEnum(["ineligible", "in_flight"]),
        evaluation_id: z.optional(z.nullable(z.string())),
      }),
    ),
  }),
  errors: ["not_found"],
});

/** §4.13. Results stay attached to their sessions. Unknown or already deleted: `not_found`. */
export const deleteEvaluation = endpoint({
  name: "deleteEvaluation",
  tier: "core",
  section: "§4.13",
  summary: "Delete an evaluation",
  method: "DELETE",
  path: "/evaluations/{evaluation_id}",
  kind: "write",
  params: z.object({ evaluation_id: text }),
  response: "none",
  status: 204,
  errors: ["not_found"],
});

/** Public: the saved rubrics, newest first. */
export const listEvaluations = endpoint({
  name: "listEvaluations",
  tier: "public",
  capability: "evaluations",
  section: "Evaluations",
  summary: "List evaluations",
  method: "GET",
  path: "/evaluations",
  kind: "read",
  query: z.object({ organization_id: z.optional(text), team_id: z.optional(text), ...page }),
  response: z.object({ evaluations: z.array(evaluation), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/**
 * Public: saves a rubric. While it is enabled it runs on the conversations of every agent of its team, or of its owner's
 * own agents where it has no team.
 */
export const createEvaluation = endpoint({
  name: "createEvaluation",
  tier: "public",
  capability: "evaluations",
  section: "Evaluations",
  summary: "Create an evaluation",
  method: "POST",
  path: "/evaluations",
  kind: "write",
  body: z.object({
    name,
    description: z.nullish(boundedText(textLimits.description)),
    enabled: z.nullish(z.boolean()),
    config: z.nullish(z.object(rubricChange)),
    organization_id: z.nullish(text),
    team_id: z.nullish(text),
  }),
  response: z.object({ evaluation }),
  errors: ["too_many_rubrics", "insufficient_storage"],
});
