import { Link } from "@tanstack/react-router";
import type { Received } from "../../../../contract/define.ts";
import type { EvaluationConfig } from "../../../../contract/evaluations.ts";
import { useApi } from "../../../lib/api.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { linkClass } from "../../../ui/textClass.ts";
import { evaluationQueries } from "../queries.ts";

type Props = {
  agentId: string;
  /** The service lets this person change it. */
  canEdit: boolean;
  isEmpty: boolean;
};

/** One line: who evaluates the agent's conversations, by what and when, and where that is changed. */
export function HowEvaluated({ agentId, canEdit, isEmpty }: Props) {
  const config = useRead(evaluationQueries.config(useApi(), agentId)).data?.data.config;
  if (!config) return null;
  return (
    <p
      role="note"
      aria-label="How it is evaluated"
      className="shrink-0 border-b py-2 pr-edge-right pl-edge-left text-muted text-secondary"
    >
      {howWords(config)}{" "}
      {(isEmpty || !config.enabled) && (
        <Link
          to="/agents/$agentId/evaluations"
          params={{ agentId }}
          search={{ view: "criteria" }}
          className={linkClass}
        >
          {canEdit ? (config.enabled ? "Edit criteria" : "Turn on") : "View criteria"}
        </Link>
      )}
    </p>
  );
}

export type ConfigIn = Received<EvaluationConfig>;

/** How an agent's conversations are evaluated, in sentences: when, who judges, and which saved rubrics do so too. */
function howWords(config: ConfigIn): string {
  const rubrics = (config.saved_rubrics ?? []).flatMap((one) => (one ? [one] : []));
  const others = rubricWords(rubrics);
  if (!config.enabled) {
    if (rubrics.length > 0) return `Its own evaluation is off. ${others}`;
    // A service that does not tell of saved rubrics may have some.
    return config.saved_rubrics
      ? "Evaluation is off: conversations with this agent are not graded."
      : "Evaluation is off for this agent.";
  }
  const count = config.criteria?.length ?? 0;
  const isByHand = config.frequency === "manual";
  const how = [
    judgeWords(config),
    isByHand ? "" : (config.frequency?.replaceAll("_", " ") ?? ""),
    count === 1 ? "1 criterion" : `${count} criteria`,
    config.sentiment?.enabled && config.sentiment.affects_grade ? "sentiment affects the grade" : "",
  ];
  return [
    isByHand
      ? "Evaluated only on request."
      : config.is_active === false && "On, but not active: nothing is evaluated automatically.",
    `${how.filter(Boolean).join(", ")}.`,
    config.judge_model_name === null && "Without a model, criteria that need judgement stay undecided.",
    others,
  ]
    .filter(Boolean)
    .join(" ");
}

function judgeWords({ judge_model_name: judge, default_judge_model_name, model_name }: ConfigIn): string {
  if (judge === null) return "Evaluated by code only";
  const model = judge ?? model_name;
  if (!model) return "Model unknown";
  const isOwn = !model_name && model === default_judge_model_name;
  return `Evaluated by ${model}${isOwn ? ", the agent’s own model" : ""}`;
}

type RunningRubrics = NonNullable<ConfigIn["saved_rubrics"]>;

function rubricWords(rubrics: readonly NonNullable<RunningRubrics[number]>[]): string {
  const each = rubrics.map(({ id, name, judge_model_name: judge }) => ({
    name: name || id || "Untitled",
    by: judge === undefined ? "" : `, evaluated by ${judge ?? "code only"}`,
  }));
  const [first, ...more] = each;
  if (first === undefined) return "";
  return more.length === 0
    ? `Also graded by the saved rubric ${first.name}${first.by}.`
    : `Also graded by ${each.length} saved rubrics: ${each.map(({ name, by }) => name + by).join("; ")}.`;
}

/** Who judges where the configuration names no model: the end of "Empty: …". */
export function emptyModelWords({ default_judge_model_name: model }: ConfigIn): string {
  if (model === undefined) return "the service chooses.";
  return model === null
    ? "code only, because the agent’s own model can’t evaluate."
    : `the agent’s own model, ${model}.`;
}
